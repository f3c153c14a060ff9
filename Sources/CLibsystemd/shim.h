// SPDX-License-Identifier: Apache-2.0
#ifndef DETENT_CLIBSYSTEMD_SHIM_H
#define DETENT_CLIBSYSTEMD_SHIM_H
#include <systemd/sd-event.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-bus.h>
#endif
