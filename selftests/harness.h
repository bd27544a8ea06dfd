/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The kernel's test harness, with a time limit that an emulated machine under
 * KASAN keeps on a busy host: it is there to end a test that hangs, no more.
 * Documentation/development.rst, "How tests are counted".
 */
#ifndef VGPU_SELFTESTS_HARNESS_H
#define VGPU_SELFTESTS_HARNESS_H

#include <kselftest_harness.h>

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	300	/* seconds */

#endif
