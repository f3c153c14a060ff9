#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Prints what is chosen, and comes back when the daemon does: selections.mjs [SOCKET]
import { createConnection } from "node:net";

const path = process.argv[2] ?? "/run/detent/detent.sock";
let pause = 100;

function take(message) {
  if (message.id === 1 && message.result) show(message.result.pickers);
  else if (message.method === "resync") show(message.params.pickers);
  else if (message.method === "selection" && "title" in message.params) show([message.params]);
}

function show(pickers) {
  for (const picker of pickers) console.log(picker.picker, picker.title);
}

function connect() {
  const socket = createConnection(path);
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("connect", () => socket.write('{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n'));
  socket.on("data", (text) => {
    pause = 100;
    // A read may bring half a line or many; what has no newline yet is kept.
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  });
  socket.on("error", (error) => console.error(error.message));
  // Gone, or not there yet. What was under a finger now counts as cancelled.
  socket.on("close", () => {
    setTimeout(connect, pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, 5000);
  });
}

connect();
