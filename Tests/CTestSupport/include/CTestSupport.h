// SPDX-License-Identifier: Apache-2.0
// HID devices for tests, through /dev/uhid, and what must be quick on an emulated machine. The kernel's header
// stays inside: Swift would take what it includes for this module's.
#ifndef DETENT_CTESTSUPPORT_H
#define DETENT_CTESTSUPPORT_H

#include <stddef.h>
#include <stdint.h>

// Makes the device that an open /dev/uhid stands for; -1 and errno on failure.
int detent_uhid_create(
    int fd, const char *name, unsigned bus, unsigned vendor, unsigned product,
    const uint8_t *descriptor, size_t length);
// Takes it away again.
int detent_uhid_destroy(int fd);
// Takes one message of the kernel. An output report's length, its bytes in `report`; 0 for every other message;
// -1 and errno on failure, EAGAIN where there is none.
int detent_uhid_read_output(int fd, uint8_t *report, size_t capacity);

// One event of a recording in evemu's format.
struct detent_evemu_event {
  int64_t time_us;
  int32_t value;
  uint16_t type;
  uint16_t code;
};

// Reads the line "E: SECONDS TYPE CODE VALUE" of so many bytes, which may end in a comment; -1 where it is none.
int detent_evemu_event(const char *line, size_t length, struct detent_evemu_event *event);

#endif
