#include "trace/trace-hw_misc_vgpu.h"
