// SPDX-License-Identifier: Apache-2.0
// The descriptions that pkg-config had of the libraries when this was compiled: their headers do not tell their
// versions, and they themselves cannot be asked.
#include "CLinux.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Predefined by some compilers, and words of the paths below.
#undef linux
#undef unix

#if defined(__x86_64__)
#define FOLDER /usr/lib/x86_64-linux-gnu/pkgconfig
#elif defined(__aarch64__)
#define FOLDER /usr/lib/aarch64-linux-gnu/pkgconfig
#elif defined(__riscv)
#define FOLDER /usr/lib/riscv64-linux-gnu/pkgconfig
#elif defined(__arm__)
#define FOLDER /usr/lib/arm-linux-gnueabihf/pkgconfig
#else
#define FOLDER /usr/lib/pkgconfig
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define HERE(name) TEXT(FOLDER/name.pc)
#define OTHERWISE(name) TEXT(/usr/lib64/pkgconfig/name.pc)

static const char libinput[] = {
#if __has_embed(HERE(libinput))
#embed HERE(libinput) suffix(,)
#elif __has_embed(OTHERWISE(libinput))
#embed OTHERWISE(libinput) suffix(,)
#endif
    0};

static const char libevdev[] = {
#if __has_embed(HERE(libevdev))
#embed HERE(libevdev) suffix(,)
#elif __has_embed(OTHERWISE(libevdev))
#embed OTHERWISE(libevdev) suffix(,)
#endif
    0};

static const char libsystemd[] = {
#if __has_embed(HERE(libsystemd))
#embed HERE(libsystemd) suffix(,)
#elif __has_embed(OTHERWISE(libsystemd))
#embed OTHERWISE(libsystemd) suffix(,)
#endif
    0};

const char *detent_built_with_libinput(void) { return libinput; }
const char *detent_built_with_libevdev(void) { return libevdev; }
const char *detent_built_with_libsystemd(void) { return libsystemd; }
