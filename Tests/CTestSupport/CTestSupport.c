// SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <errno.h>
#include <linux/uhid.h>
#include <string.h>
#include <unistd.h>

static int send_event(int fd, const struct uhid_event *event) {
  ssize_t count = write(fd, event, sizeof *event);
  if (count >= 0 && count != (ssize_t)sizeof *event) errno = EIO;
  return count == (ssize_t)sizeof *event ? 0 : -1;
}

int detent_uhid_create(
    int fd, const char *name, unsigned bus, unsigned vendor, unsigned product,
    const uint8_t *descriptor, size_t length) {
  struct uhid_event event = {.type = UHID_CREATE2};
  struct uhid_create2_req *create = &event.u.create2;
  if (length > sizeof create->rd_data || strlen(name) >= sizeof create->name) {
    errno = EINVAL;
    return -1;
  }
  memcpy(create->name, name, strlen(name));
  create->bus = (uint16_t)bus;
  create->vendor = vendor;
  create->product = product;
  create->rd_size = (uint16_t)length;
  memcpy(create->rd_data, descriptor, length);
  return send_event(fd, &event);
}

int detent_uhid_destroy(int fd) {
  struct uhid_event event = {.type = UHID_DESTROY};
  return send_event(fd, &event);
}

int detent_uhid_read_output(int fd, uint8_t *report, size_t capacity) {
  struct uhid_event event = {0};
  if (read(fd, &event, sizeof event) < 0) return -1;
  if (event.type != UHID_OUTPUT) return 0;
  size_t length = event.u.output.size < capacity ? event.u.output.size : capacity;
  memcpy(report, event.u.output.data, length);
  return (int)length;
}
