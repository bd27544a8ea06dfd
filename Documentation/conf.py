# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Sphinx settings; "make docs" runs it with warnings as errors."""

project = 'vgpu'
author = 'The vgpu authors'
copyright = author  # pylint: disable=redefined-builtin

# A literal block is C, shell or a dump: let nothing guess which.
highlight_language = 'none'
html_theme = 'alabaster'
html_theme_options = {
    'description': 'A chiplet GPU that you can boot',
    'page_width': '70em',
    'sidebar_width': '16em',
    'fixed_sidebar': True,
}
html_show_copyright = False
html_show_sourcelink = False
html_sidebars = {'**': ['about.html', 'navigation.html', 'searchbox.html']}
