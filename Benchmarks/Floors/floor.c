// SPDX-License-Identifier: Apache-2.0
// The least that a program can do that tells another one of every frame of a touchscreen: what Detent is measured
// against.
//
//   floor evdev NODE SOCKET      read the node, write a line to the one client for each frame
//   floor libinput NODE SOCKET   the same through libinput
//   floor libinput NODE          libinput alone: nobody is told
#include <errno.h>
#include <fcntl.h>
#include <libinput.h>
#include <libudev.h>
#include <linux/input.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int client = -1;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void accept_client(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0
      || listen(listener, 1) < 0)
    fail(path);
  client = accept(listener, NULL, NULL);
  if (client < 0) fail("accept");
  close(listener);
  unlink(path);
}

static void tell(double x, double y, long long time_us) {
  char line[256];
  int length = snprintf(
      line, sizeof line, "{\"method\":\"motion\",\"params\":{\"x\":%.17g,\"y\":%.17g,\"time_us\":%lld}}\n",
      x, y, time_us);
  if (client >= 0 && send(client, line, length, MSG_NOSIGNAL) < 0) exit(0);
}

static void read_evdev(const char *node, const char *path) {
  int device = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  int clock = CLOCK_MONOTONIC;
  if (device < 0 || ioctl(device, EVIOCSCLOCKID, &clock) < 0) fail(node);
  accept_client(path);
  struct pollfd wait = {.fd = device, .events = POLLIN};
  double x = 0, y = 0;
  while (poll(&wait, 1, -1) > 0) {
    struct input_event events[64];
    ssize_t size = read(device, events, sizeof events);
    if (size < 0 && errno == EAGAIN) continue;
    if (size <= 0) return;
    for (size_t index = 0; index < size / sizeof *events; index++) {
      struct input_event *event = &events[index];
      if (event->type == EV_ABS && event->code == ABS_MT_POSITION_X) x = event->value;
      if (event->type == EV_ABS && event->code == ABS_MT_POSITION_Y) y = event->value;
      if (event->type == EV_SYN && event->code == SYN_REPORT)
        tell(x, y, event->input_event_sec * 1000000LL + event->input_event_usec);
    }
  }
}

static int open_node(const char *path, int flags, void *data) {
  (void)data;
  int node = open(path, flags);
  return node < 0 ? -errno : node;
}

static void close_node(int node, void *data) {
  (void)data;
  close(node);
}

static void read_libinput(const char *node, const char *path) {
  static const struct libinput_interface interface = {open_node, close_node};
  struct libinput *context = libinput_path_create_context(&interface, NULL);
  if (context == NULL || libinput_path_add_device(context, node) == NULL) fail(node);
  libinput_dispatch(context);
  if (path != NULL) accept_client(path);
  struct pollfd wait = {.fd = libinput_get_fd(context), .events = POLLIN};
  while (poll(&wait, 1, -1) > 0) {
    libinput_dispatch(context);
    struct libinput_event *event;
    while ((event = libinput_get_event(context)) != NULL) {
      if (libinput_event_get_type(event) == LIBINPUT_EVENT_TOUCH_MOTION) {
        struct libinput_event_touch *touch = libinput_event_get_touch_event(event);
        tell(
            libinput_event_touch_get_x_transformed(touch, 1),
            libinput_event_touch_get_y_transformed(touch, 1),
            (long long)libinput_event_touch_get_time_usec(touch));
      }
      if (libinput_event_get_type(event) == LIBINPUT_EVENT_DEVICE_REMOVED) return;
      libinput_event_destroy(event);
    }
  }
}

int main(int count, char **words) {
  if (count == 4 && strcmp(words[1], "evdev") == 0) {
    read_evdev(words[2], words[3]);
  } else if ((count == 3 || count == 4) && strcmp(words[1], "libinput") == 0) {
    read_libinput(words[2], count == 4 ? words[3] : NULL);
  } else {
    fputs("usage: floor evdev NODE SOCKET | floor libinput NODE [SOCKET]\n", stderr);
    return 64;
  }
  return 0;
}
