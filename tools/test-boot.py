#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""How boot.py chooses between KVM and emulation, whatever the host has.

Speaks TAP. Documentation/development.rst, "Commands".
"""

import contextlib
import errno
import io
import os
import sys
from unittest import mock

import boot

INTEL = 'flags\t\t: fpu vme vmx sse2\n'
AMD = 'flags\t\t: fpu svm sse2\n'
NEITHER = 'flags\t\t: fpu vme sse2\nbugs\t\t: vmx_like\n'

# What is there: ACCEL, /proc/cpuinfo, what opening /dev/kvm and making a machine raise; and what
# must come of it: the choice, or a piece of the message.
CASES = (
    ('KVM works, Intel', '', INTEL, 0, 0, 'kvm'),
    ('KVM works, AMD', '', AMD, 0, 0, 'kvm'),
    ('no vmx or svm', '', NEITHER, 0, 0, 'tcg'),
    ('no /dev/kvm', '', INTEL, errno.ENOENT, 0, 'tcg'),
    ('/dev/kvm is not ours', '', INTEL, errno.EACCES, 0, 'tcg'),
    ('/dev/kvm does not work', '', INTEL, 0, errno.ENOTTY, 'tcg'),
    ('ACCEL=tcg where KVM works', 'tcg', INTEL, 0, 0, 'tcg'),
    ('ACCEL=kvm where it works', 'kvm', INTEL, 0, 0, 'kvm'),
    ('ACCEL=kvm without vmx or svm', 'kvm', NEITHER, 0, 0, 'neither vmx nor svm'),
    ('ACCEL=kvm without /dev/kvm', 'kvm', INTEL, errno.ENOENT, 0, 'No such file'),
    ('ACCEL=kvm without permission', 'kvm', INTEL, errno.EACCES, 0, 'Permission denied'),
    ('ACCEL=kvm, /dev/kvm does not work', 'kvm', INTEL, 0, errno.ENOTTY, 'Inappropriate ioctl'),
    ('ACCEL is something else', 'xen', INTEL, 0, 0, 'must be kvm or tcg'),
)


def failing(number, result):
    """A function that raises OSError(number), or returns result."""
    error = OSError(number, os.strerror(number)) if number else None
    return mock.Mock(side_effect=error, return_value=result)


def choice(want, cpuinfo, open_error, ioctl_error):
    """What accel() returns or exits with."""
    with contextlib.ExitStack() as stack:
        for patch in (mock.patch.dict(os.environ, ACCEL=want),
                      mock.patch('builtins.open', lambda *a, **k: io.StringIO(cpuinfo)),
                      mock.patch('os.open', failing(open_error, 100)),
                      mock.patch('os.close'),
                      mock.patch('fcntl.ioctl', failing(ioctl_error, 101))):
            stack.enter_context(patch)
        try:
            return boot.accel()
        except SystemExit as end:
            return end.code


def main():
    """Run the cases."""
    bad = 0
    print(f'1..{len(CASES)}')
    for number, (name, *case, want) in enumerate(CASES, 1):
        got = choice(*case)
        good = got == want or (got.startswith('vgpu: error: ACCEL=') and want in got)
        bad += not good
        print('ok' if good else 'not ok', number, '-', name if good else f'{name}: {got}')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
