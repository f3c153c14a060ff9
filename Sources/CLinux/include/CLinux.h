// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module leaves out: GNU calls, peer credentials, and the evdev and uinput ioctls,
// whose numbers are macros that Swift cannot see. Every function returns what the system call
// returned: -1 and errno on failure.
#ifndef DETENT_CLINUX_H
#define DETENT_CLINUX_H

#include "CLinuxOptions.h"

#include <linux/input.h>
#include <linux/uinput.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Names of errors: "EACCES" and "Permission denied"; NULL for a number that is none.
const char *detent_errno_name(int error);
const char *detent_errno_description(int error);

// The columns of a character in a terminal, by the locale; -1 for what is not shown.
int detent_columns(uint32_t scalar);

// Descriptors; all come close-on-exec and non-blocking.
int detent_pipe(int ends[2]);
int detent_eventfd(void);
int detent_accept(int listener);
int detent_stream_socket(void);
int detent_stream_pair(int ends[2]);
int detent_stream_type(void);

// Who is at the other end of a connected Unix socket.
struct detent_peer {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
int detent_peer_credentials(int socket, struct detent_peer *peer);
// The peer's supplementary groups: the number stored, at most `capacity`; -1 with ERANGE where there
// are more.
int detent_peer_groups(int socket, gid_t *groups, int capacity);

// A name of a user or group to its number: 0 found, 1 not known, -1 failed.
int detent_group_id(const char *name, gid_t *group);
int detent_user_id(const char *name, uid_t *user);
// The names of numbers; 0 found, 1 not known.
int detent_group_name(gid_t group, char *name, size_t capacity);
int detent_user_name(uid_t user, char *name, size_t capacity);

// What pkg-config knew of a library when this was compiled, as text with a line "Version: …"; empty
// where it knew nothing.
const char *detent_built_with_libinput(void);
const char *detent_built_with_libevdev(void);
const char *detent_built_with_libsystemd(void);

// CLOCK_MONOTONIC in microseconds.
int64_t detent_monotonic_us(void);

// evdev (linux/input.h). Lengths are in bytes.
int detent_evdev_version(int fd, int *version);
int detent_evdev_bits(int fd, unsigned type, uint8_t *bits, size_t length);
int detent_evdev_keys_down(int fd, uint8_t *bits, size_t length);
int detent_evdev_abs(int fd, unsigned code, struct input_absinfo *info);
// Values of one ABS_MT_* code, a slot each; `request` holds the code first, then `slots` values.
int detent_evdev_mt_slots(int fd, int32_t *request, size_t slots);
int detent_evdev_grab(int fd, int on);
int detent_evdev_set_clock(int fd, int clock);
// Only codes whose bit is set reach this open file from now on.
int detent_evdev_set_mask(int fd, unsigned type, const uint8_t *bits, size_t length);
int detent_evdev_get_mask(int fd, unsigned type, uint8_t *bits, size_t length);

// An event's time in microseconds, whatever the width of the kernel's time.
int64_t detent_event_time_us(const struct input_event *event);

// Force feedback. Uploading writes the effect's new id into it.
int detent_ff_upload(int fd, struct ff_effect *effect);
int detent_ff_erase(int fd, int id);
int detent_ff_capacity(int fd, int *effects);

// uinput (linux/uinput.h).
int detent_uinput_set_bit(int fd, unsigned type, unsigned code);
int detent_uinput_set_event(int fd, unsigned type);
int detent_uinput_set_property(int fd, unsigned property);
int detent_uinput_set_phys(int fd, const char *phys);
int detent_uinput_setup(int fd, const struct uinput_setup *setup);
int detent_uinput_abs_setup(int fd, const struct uinput_abs_setup *setup);
int detent_uinput_create(int fd);
int detent_uinput_destroy(int fd);
int detent_uinput_sysname(int fd, char *name, size_t length);
int detent_uinput_begin_upload(int fd, struct uinput_ff_upload *upload);
int detent_uinput_end_upload(int fd, const struct uinput_ff_upload *upload);
int detent_uinput_begin_erase(int fd, struct uinput_ff_erase *erase);
int detent_uinput_end_erase(int fd, const struct uinput_ff_erase *erase);

#endif
