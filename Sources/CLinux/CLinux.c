// SPDX-License-Identifier: Apache-2.0
// _GNU_SOURCE stays in here: in a header it would change what every other import sees.
#define _GNU_SOURCE
#include "include/CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

const char *detent_errno_name(int error) { return strerrorname_np(error); }

const char *detent_errno_description(int error) { return strerrordesc_np(error); }

int detent_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int detent_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

int detent_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int detent_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int detent_stream_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int detent_stream_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends);
}

int detent_stream_type(void) { return SOCK_STREAM; }

int detent_peer_credentials(int socket, struct detent_peer *peer) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
  peer->pid = credentials.pid;
  peer->uid = credentials.uid;
  peer->gid = credentials.gid;
  return 0;
}

int detent_peer_groups(int socket, gid_t *groups, int capacity) {
  socklen_t length = (socklen_t)((size_t)capacity * sizeof *groups);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length) < 0) return -1;
  return (int)(length / sizeof *groups);
}

// The reentrant calls want a buffer whose size nobody knows beforehand: it grows until they are content.
#define DETENT_LOOK_UP(record, call, key, use)                                \
  do {                                                                        \
    size_t size = 1024;                                                       \
    for (;;) {                                                                \
      char *buffer = malloc(size);                                            \
      if (buffer == NULL) return -1;                                          \
      record entry, *found = NULL;                                            \
      int error = call(key, &entry, buffer, size, &found);                    \
      if (error == ERANGE && size < (1 << 20)) {                              \
        free(buffer);                                                         \
        size *= 2;                                                            \
        continue;                                                             \
      }                                                                       \
      int result = 1;                                                         \
      if (found != NULL) {                                                    \
        use;                                                                  \
        result = 0;                                                           \
      }                                                                       \
      free(buffer);                                                           \
      return result;                                                          \
    }                                                                         \
  } while (0)

int detent_group_id(const char *name, gid_t *group) {
  DETENT_LOOK_UP(struct group, getgrnam_r, name, *group = found->gr_gid);
}

int detent_user_id(const char *name, uid_t *user) {
  DETENT_LOOK_UP(struct passwd, getpwnam_r, name, *user = found->pw_uid);
}

static void copy_name(char *to, size_t capacity, const char *from) {
  if (capacity == 0) return;
  strncpy(to, from, capacity - 1);
  to[capacity - 1] = 0;
}

int detent_group_name(gid_t group, char *name, size_t capacity) {
  DETENT_LOOK_UP(struct group, getgrgid_r, group, copy_name(name, capacity, found->gr_name));
}

int detent_user_name(uid_t user, char *name, size_t capacity) {
  DETENT_LOOK_UP(struct passwd, getpwuid_r, user, copy_name(name, capacity, found->pw_name));
}

int64_t detent_monotonic_us(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) < 0) return 0;
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int detent_evdev_version(int fd, int *version) { return ioctl(fd, EVIOCGVERSION, version); }

int detent_evdev_bits(int fd, unsigned type, uint8_t *bits, size_t length) {
  return ioctl(fd, EVIOCGBIT(type, length), bits);
}

int detent_evdev_keys_down(int fd, uint8_t *bits, size_t length) {
  return ioctl(fd, EVIOCGKEY(length), bits);
}

int detent_evdev_abs(int fd, unsigned code, struct input_absinfo *info) {
  return ioctl(fd, EVIOCGABS(code), info);
}

int detent_evdev_mt_slots(int fd, int32_t *request, size_t slots) {
  return ioctl(fd, EVIOCGMTSLOTS((slots + 1) * sizeof *request), request);
}

int detent_evdev_grab(int fd, int on) { return ioctl(fd, EVIOCGRAB, on ? (void *)1 : NULL); }

int detent_evdev_set_clock(int fd, int clock) { return ioctl(fd, EVIOCSCLOCKID, &clock); }

static struct input_mask mask_of(unsigned type, const uint8_t *bits, size_t length) {
  struct input_mask mask = {
      .type = type, .codes_size = (uint32_t)length, .codes_ptr = (uint64_t)(uintptr_t)bits};
  return mask;
}

int detent_evdev_set_mask(int fd, unsigned type, const uint8_t *bits, size_t length) {
  struct input_mask mask = mask_of(type, bits, length);
  return ioctl(fd, EVIOCSMASK, &mask);
}

int detent_evdev_get_mask(int fd, unsigned type, uint8_t *bits, size_t length) {
  struct input_mask mask = mask_of(type, bits, length);
  return ioctl(fd, EVIOCGMASK, &mask);
}

int64_t detent_event_time_us(const struct input_event *event) {
  return (int64_t)event->input_event_sec * 1000000 + (int64_t)event->input_event_usec;
}

int detent_ff_upload(int fd, struct ff_effect *effect) { return ioctl(fd, EVIOCSFF, effect); }

int detent_ff_erase(int fd, int id) { return ioctl(fd, EVIOCRMFF, (long)id); }

int detent_ff_capacity(int fd, int *effects) { return ioctl(fd, EVIOCGEFFECTS, effects); }

int detent_uinput_set_bit(int fd, unsigned type, unsigned code) {
  switch (type) {
    case EV_KEY: return ioctl(fd, UI_SET_KEYBIT, (unsigned long)code);
    case EV_REL: return ioctl(fd, UI_SET_RELBIT, (unsigned long)code);
    case EV_ABS: return ioctl(fd, UI_SET_ABSBIT, (unsigned long)code);
    case EV_MSC: return ioctl(fd, UI_SET_MSCBIT, (unsigned long)code);
    case EV_LED: return ioctl(fd, UI_SET_LEDBIT, (unsigned long)code);
    case EV_SND: return ioctl(fd, UI_SET_SNDBIT, (unsigned long)code);
    case EV_FF: return ioctl(fd, UI_SET_FFBIT, (unsigned long)code);
    case EV_SW: return ioctl(fd, UI_SET_SWBIT, (unsigned long)code);
    default: errno = EINVAL; return -1;
  }
}

int detent_uinput_set_event(int fd, unsigned type) {
  return ioctl(fd, UI_SET_EVBIT, (unsigned long)type);
}

int detent_uinput_set_property(int fd, unsigned property) {
  return ioctl(fd, UI_SET_PROPBIT, (unsigned long)property);
}

int detent_uinput_set_phys(int fd, const char *phys) { return ioctl(fd, UI_SET_PHYS, phys); }

int detent_uinput_setup(int fd, const struct uinput_setup *setup) {
  return ioctl(fd, UI_DEV_SETUP, setup);
}

int detent_uinput_abs_setup(int fd, const struct uinput_abs_setup *setup) {
  return ioctl(fd, UI_ABS_SETUP, setup);
}

int detent_uinput_create(int fd) { return ioctl(fd, UI_DEV_CREATE); }

int detent_uinput_destroy(int fd) { return ioctl(fd, UI_DEV_DESTROY); }

int detent_uinput_sysname(int fd, char *name, size_t length) {
  return ioctl(fd, UI_GET_SYSNAME(length), name);
}

int detent_uinput_begin_upload(int fd, struct uinput_ff_upload *upload) {
  return ioctl(fd, UI_BEGIN_FF_UPLOAD, upload);
}

int detent_uinput_end_upload(int fd, const struct uinput_ff_upload *upload) {
  return ioctl(fd, UI_END_FF_UPLOAD, upload);
}

int detent_uinput_begin_erase(int fd, struct uinput_ff_erase *erase) {
  return ioctl(fd, UI_BEGIN_FF_ERASE, erase);
}

int detent_uinput_end_erase(int fd, const struct uinput_ff_erase *erase) {
  return ioctl(fd, UI_END_FF_ERASE, erase);
}
