# SPDX-License-Identifier: Apache-2.0
# Completion of detentd for fish. What options there are, the program itself says.

function __detentd_options
    set -l program (commandline -opc)[1]
    $program --help 2>/dev/null | string replace -rf '^ +(--[a-z]+).*? {2,}(.*)$' '$1\t$2'
end

complete -c detentd -F
complete -c detentd -n 'string match -q -- "-*" (commandline -ct)' -a '(__detentd_options)'
