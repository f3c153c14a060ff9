// SPDX-License-Identifier: Apache-2.0
#ifndef DETENT_CLIBINPUT_SHIM_H
#define DETENT_CLIBINPUT_SHIM_H
#include <libinput.h>
#include <libudev.h>
#endif
