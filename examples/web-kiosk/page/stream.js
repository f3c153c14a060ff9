// SPDX-License-Identifier: Apache-2.0

/** Detent's connection, through the bridge: notifications come, requests go, and it comes back for ever. */
export class Stream {
  #token = null;
  #waiting = new Map();
  #lastId = 0;
  #handlers;

  /** `handlers`: snapshot(result), notification(method, params), lost(). */
  constructor(handlers) {
    this.#handlers = handlers;
    this.#open();
  }

  #open() {
    const source = new EventSource("/events");
    source.addEventListener("stream", (event) => { this.#token = event.data; });
    source.addEventListener("lost", () => this.#lose());
    source.addEventListener("message", (event) => this.#take(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      this.#token = null;
      this.#lose();
      // It tries again by itself, unless it was refused.
      if (source.readyState !== EventSource.CLOSED) return;
      source.close();
      setTimeout(() => this.#open(), 1000);
    });
  }

  #lose() {
    for (const { reject } of this.#waiting.values()) reject(new Error("the connection is lost"));
    this.#waiting.clear();
    this.#handlers.lost();
  }

  #take(message) {
    if (message.method) {
      this.#handlers.notification(message.method, message.params ?? {});
    } else if (message.id === "subscribe" && message.result) {
      this.#handlers.snapshot(message.result);
    } else {
      const request = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) request?.reject(new Error(message.error.data?.reason ?? message.error.message));
      else request?.resolve(message.result);
    }
  }

  /** Sends a request; the promise brings the result. */
  async call(method, params) {
    if (!this.#token) throw new Error("there is no connection");
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    answer.catch(() => {});
    const response = await fetch(`/request/${this.#token}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    if (response.ok) return answer;
    this.#waiting.delete(id);
    throw new Error(await response.text());
  }
}
