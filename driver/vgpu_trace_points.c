// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Instantiates the tracepoints of vgpu_trace.h.
 * Documentation/submission.rst, "Watching a submission".
 */
#include "vgpu.h"

#define CREATE_TRACE_POINTS
#include "vgpu_trace.h"
