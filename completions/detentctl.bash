# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Completion of detentctl for bash. What there is to complete, the program itself says.

_detentctl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} help line
  COMPREPLY=()
  help=$("${COMP_WORDS[0]}" --help 2> /dev/null)
  case $previous in
    --socket | --config)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' <<< "$help") --help" -- "$current")
    return
  fi
  line=$(grep "^  $command " <<< "$help")
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -e '--[a-z][a-z-]*' <<< "$line") --socket" -- "$current")
  elif [[ $line == "  $command "*PICKER* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" list 2> /dev/null | cut -d ' ' -f 1)" -- "$current")
  elif [[ $line == "  $command "*@(FILE|RECORDING)* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _detentctl detentctl
