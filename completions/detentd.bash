# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Completion of detentd for bash. What options there are, the program itself says.

_detentd() {
  local current=${COMP_WORDS[COMP_CWORD]}
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W \
      "$("${COMP_WORDS[0]}" --help 2> /dev/null | grep -oE -e '^ +--[a-z]+')" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _detentd detentd
