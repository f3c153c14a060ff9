# SPDX-License-Identifier: Apache-2.0
# Completion of detentctl for fish. What there is to complete, the program itself says.

function __detentctl_help
    set -l program (commandline -opc)[1]
    $program --help 2>/dev/null | string match -r '^  [a-z].*'
end

function __detentctl_line
    set -l words (commandline -opc)
    test (count $words) -gt 1; and __detentctl_help | string match -r "^  $words[2] .*"
end

function __detentctl_commands
    __detentctl_help | string replace -r '^  ([a-z-]+).*? {2,}([^ ].*)$' '$1\t$2'
end

function __detentctl_pickers
    set -l program (commandline -opc)[1]
    $program list 2>/dev/null | string replace -r ' .*' ''
end

complete -c detentctl -f
complete -c detentctl -n 'test (count (commandline -opc)) -eq 1' -a '(__detentctl_commands)'
complete -c detentctl -n 'string match -q -- "-*" (commandline -ct)' \
    -a '(__detentctl_line | string match -ar -- "--[a-z][a-z-]*"; echo --socket)'
complete -c detentctl -n '__detentctl_line | string match -q "*PICKER*"' -a '(__detentctl_pickers)'
complete -c detentctl -n '__detentctl_line | string match -qr "FILE|RECORDING"' -F
