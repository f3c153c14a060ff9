# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts share. Sourced, never run.

# The root of the source tree, whatever the caller's directory is.
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# say WORDS…: one line on standard error, named after the script that speaks.
say() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
}

# die STATUS WORDS…: say it and end.
die() {
  local status=$1
  shift
  say "$@"
  exit "$status"
}

# The Debian name of this machine's architecture: amd64, arm64.
debian_architecture() {
  if command -v dpkg > /dev/null; then
    dpkg --print-architecture
  else
    case $(uname -m) in
      x86_64) echo amd64 ;;
      aarch64) echo arm64 ;;
      *) uname -m ;;
    esac
  fi
}

# Prints the version of the newest kernel under /boot whose modules are there too; nothing if none is.
newest_kernel() {
  local image version
  for image in /boot/vmlinuz-*; do
    version=${image#/boot/vmlinuz-}
    [[ -r $image && -e /lib/modules/$version/modules.dep ]] && echo "$version"
  done | sort -V | tail -n 1
}
