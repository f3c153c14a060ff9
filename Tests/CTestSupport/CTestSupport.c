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

// Skips white space, then reads an unsigned number up to the next one; nothing else may be in it.
static int number(const char **at, const char *end, unsigned base, uint64_t *value) {
  while (*at < end && (**at == ' ' || **at == '\t')) ++*at;
  const char *start = *at;
  for (*value = 0; *at < end; ++*at) {
    char c = **at;
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                            : 99;
    if (digit >= base) break;
    *value = *value * base + digit;
    if (*value > UINT32_MAX) return -1;
  }
  return *at > start && *at - start <= 10 ? 0 : -1;
}

static int at_space(const char *at, const char *end) {
  return at == end || *at == ' ' || *at == '\t' || *at == '\r' || *at == '#';
}

int detent_evemu_event(const char *line, size_t length, struct detent_evemu_event *event) {
  const char *at = line + 2, *end = line + length;
  if (length < 2 || line[0] != 'E' || line[1] != ':') return -1;
  uint64_t seconds, type, code, value, micros = 0;
  if (number(&at, end, 10, &seconds)) return -1;
  if (at < end && *at == '.') {
    uint64_t unit = 100000;
    for (++at; at < end && *at >= '0' && *at <= '9'; ++at, unit /= 10) micros += unit * (uint64_t)(*at - '0');
  }
  if (!at_space(at, end)) return -1;
  if (number(&at, end, 16, &type) || type > UINT16_MAX || !at_space(at, end)) return -1;
  if (number(&at, end, 16, &code) || code > UINT16_MAX || !at_space(at, end)) return -1;
  while (at < end && (*at == ' ' || *at == '\t')) ++at;
  int negative = at < end && *at == '-';
  if (negative) ++at;
  if (number(&at, end, 10, &value) || value > INT32_MAX || !at_space(at, end)) return -1;
  event->time_us = (int64_t)(seconds * 1000000 + micros);
  event->type = (uint16_t)type;
  event->code = (uint16_t)code;
  event->value = negative ? -(int32_t)value : (int32_t)value;
  return 0;
}
