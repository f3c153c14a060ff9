#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints what is chosen, with socat and jq: selections.sh [SOCKET]
socket=${1:-/run/detent/detent.sock}
request='{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["selection"]}}'

# ignoreeof: the end of echo is not the end of the subscription.
echo "$request" | socat -,ignoreeof "UNIX-CONNECT:$socket" \
  | jq --unbuffered -r '
      if .method == "selection" then .params else .result.pickers[]? end
      | "\(.picker) \(.title)"'
