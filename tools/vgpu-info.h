/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the parts of vgpu-info share. Documentation/tools.rst, "vgpu-info". */
#ifndef VGPU_TOOLS_VGPU_INFO_H
#define VGPU_TOOLS_VGPU_INFO_H

#include "lib/die.h"

/**
 * attribute() - the line of a sysfs attribute of the die
 * Return: it, until the next call, or NULL when there is no such attribute.
 */
const char *attribute(const struct die *die, const char *name);

/**
 * show_hives() - draw the hives that @num dies form, and name those that are in none
 * @dies: as die_open() filled them in; they need not be open any more
 * Return: is all of it known? Hops and links are for root only.
 */
bool show_hives(const struct die *dies, unsigned int num);

#endif
