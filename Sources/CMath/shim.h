// SPDX-License-Identifier: Apache-2.0
// The pure modules take exp, atan2 and hypot from here, so that they need not import all of Glibc.
#ifndef DETENT_CMATH_SHIM_H
#define DETENT_CMATH_SHIM_H
#include <math.h>
#endif
