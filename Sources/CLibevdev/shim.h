// SPDX-License-Identifier: Apache-2.0
#ifndef DETENT_CLIBEVDEV_SHIM_H
#define DETENT_CLIBEVDEV_SHIM_H
#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>
#endif
