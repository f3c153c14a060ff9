#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves a page to the browser of this machine and joins it with Detent: events out, requests in.

GET  /, /NAME         the files of the page's folder
GET  /events          Server-Sent Events: first `stream` with a token, then a `message` for each line that Detent
                      sends; `lost` when the connection to Detent has ended, after which it is sought for ever
POST /request/TOKEN   one JSON-RPC request for the connection of that stream; the reply comes as a `message`

Each stream is a connection to Detent of its own and is read no faster than the browser takes it, so that Detent's
rules for slow readers hold for browsers: a slow one gets thinned motions, then a `resync`, and holds nobody up.
"""
import argparse
import asyncio
import json
import mimetypes
import os
import pathlib
import re
import secrets
import signal
import socket
import sys

METHODS = ("get", "list", "values", "select", "move", "focus")
# Everything, motion too: one of a display's frames needs one.
SUBSCRIBE = {"jsonrpc": "2.0", "id": "subscribe", "method": "subscribe", "params": {"motion_hz": 60}}

HEAD_BYTES, BODY_BYTES, CHUNK_BYTES, LINE_BYTES, FILE_BYTES = 16 << 10, 16 << 10, 64 << 10, 8 << 20, 8 << 20
CONNECTIONS, STREAMS = 64, 16
HEAD_SECONDS, STALL_SECONDS, BEAT_SECONDS, LINGER_SECONDS = 5, 10, 15, 1
PAUSES = (0.1, 0.2, 0.5, 1, 2, 5)

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
ONCE = ("host", "origin", "content-length", "content-type", "sec-fetch-site")
SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                               "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Refused(Exception):
    """A request that is answered with a status and a reason, and the end of the connection."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


class Stream:
    """One browser's events and the connection to Detent behind them."""

    def __init__(self, writer):
        self.writer, self.token, self.daemon = writer, secrets.token_urlsafe(24), None

    async def send(self, text):
        self.writer.write(text)
        await drain(self.writer)

    async def beat(self):
        """Writes something now and then, so that a browser that is gone without a word is noticed."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.send(b":\n\n")

    async def pump(self, path):
        """Carries Detent's lines to the browser; connects again for ever."""
        attempt = 0
        while True:
            try:
                # A small limit: what is read ahead of the browser can no longer be thinned out.
                reader, self.daemon = await asyncio.open_unix_connection(path, limit=CHUNK_BYTES)
                self.daemon.write(json.dumps(SUBSCRIBE).encode() + b"\n")
                rest = b""
                while len(rest) <= LINE_BYTES and (chunk := await reader.read(CHUNK_BYTES)):
                    attempt = 0
                    # A line without its newline is half a line.
                    *lines, rest = (rest + chunk).split(b"\n")
                    if lines:
                        await self.send(b"".join(b"data: " + line + b"\n\n" for line in lines))
            except asyncio.TimeoutError:
                raise
            except OSError:
                pass
            finally:
                if self.daemon:
                    self.daemon.close()
                self.daemon = None
            if attempt == 0:
                await self.send(b"event: lost\ndata:\n\n")
            await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            attempt += 1

    def request(self, line):
        if self.daemon is None or self.daemon.is_closing():
            raise Refused(503, "Detent is not there")
        if self.daemon.transport.get_write_buffer_size() > 65536:
            raise Refused(503, "Detent takes no requests now")
        self.daemon.write(line)


class Bridge:
    """What the server knows: files, who may ask, streams."""

    def __init__(self, options):
        self.path, self.page = options.socket, pathlib.Path(options.page)
        self.methods = set(METHODS) | set(options.allow)
        self.foreign = set(options.origin)
        self.hosts, self.streams, self.connections = set(), {}, 0

    def listening(self, port):
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:
            self.hosts |= {"127.0.0.1", "localhost"}

    async def serve(self, reader, writer):
        self.connections += 1
        try:
            if self.connections <= CONNECTIONS:
                # Small buffers: what waits in them can no longer be thinned out.
                connection = writer.get_extra_info("socket")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 128 << 10)
                writer.transport.set_write_buffer_limits(0)
                await self.answer(reader, writer)
        except (OSError, EOFError, asyncio.TimeoutError, asyncio.CancelledError):
            # Cancelled only at the bridge's own end.
            pass
        finally:
            self.connections -= 1
            # Not close(): that would wait for a browser that takes nothing.
            writer.transport.abort()

    async def answer(self, reader, writer):
        cors = {}
        try:
            method, target, headers = await asyncio.wait_for(self.head(reader), HEAD_SECONDS)
            cors = self.check(method, headers)
            if method == "GET" and target == "/events":
                return await self.events(reader, writer, cors)
            elif method == "GET":
                kind, data = self.file(target)
                reply(writer, 200, data, {"Content-Type": kind, **SAFE})
            elif method == "POST":
                body = await asyncio.wait_for(self.body(reader, headers), HEAD_SECONDS)
                self.request(target, body)
                reply(writer, 204, b"", cors)
            else:
                # The question of a browser whose page comes from one of the origins that were named.
                reply(writer, 204, b"", {**cors, "Access-Control-Allow-Methods": "GET, POST",
                                         "Access-Control-Allow-Headers": "content-type"})
        except Refused as refused:
            reply(writer, refused.status, refused.reason.encode() + b"\n",
                  {"Content-Type": "text/plain", "X-Content-Type-Options": "nosniff", **cors})
        await drain(writer)
        # Closed at once, what was not read of the request would take the reply with it.
        writer.write_eof()
        await asyncio.wait_for(self.rest(reader), LINGER_SECONDS)

    async def rest(self, reader):
        while await reader.read(HEAD_BYTES):
            pass

    async def head(self, reader):
        """The request line and the headers; strictly, for whatever is unusual here is no browser."""
        try:
            text = (await reader.readuntil(b"\r\n\r\n"))[:-4].decode("ascii")
        except asyncio.LimitOverrunError:
            raise Refused(431, "too long") from None
        except UnicodeDecodeError:
            raise Refused(400, "not ASCII") from None
        first, *lines = text.split("\r\n")
        match = re.fullmatch(r"([A-Z]{1,16}) (/[!-~]*) HTTP/1\.[01]", first)
        if not match:
            raise Refused(400, "no request line")
        headers = {}
        for line in lines:
            name, colon, value = line.partition(":")
            name = name.lower()
            if not colon or not TOKEN.fullmatch(name) or not re.fullmatch(r"[\t -~]*", value):
                raise Refused(400, "no header")
            if name in ONCE and name in headers:
                raise Refused(400, f"{name} twice")
            headers[name] = value.strip(" \t")
        return match[1], match[2], headers

    def check(self, method, headers):
        """Refuses whatever another site could make a browser send; gives the headers for a foreign origin."""
        if headers.get("host", "").lower() not in self.hosts:
            raise Refused(403, "this host is not served")
        origin = headers.get("origin")
        own = origin in {f"http://{host}" for host in self.hosts}
        if origin is not None and not own and origin not in self.foreign:
            raise Refused(403, "this origin is not allowed")
        if origin is None and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(403, "another site asks")
        if origin is None and method not in ("GET", "HEAD"):
            raise Refused(403, "no origin")
        cors = {} if origin is None or own else {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}
        if method not in ("GET", "POST") and not (method == "OPTIONS" and cors):
            raise Refused(405, "GET and POST are known here")
        if "transfer-encoding" in headers:
            raise Refused(400, "the length must be told")
        if method != "POST" and headers.get("content-length", "0") != "0":
            raise Refused(400, "a body is not expected")
        return cors

    def file(self, target):
        """A file of the page's folder; nothing but the plain names in it can be asked for."""
        name = target[1:] or "index.html"
        path = self.page / name
        if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name) or path.is_symlink() or not path.is_file():
            raise Refused(404, "there is no such file")
        if path.stat().st_size > FILE_BYTES:
            raise Refused(404, "the file is too large")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return kind + ("; charset=utf-8" if kind.startswith("text/") else ""), path.read_bytes()

    async def body(self, reader, headers):
        if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            raise Refused(415, "application/json is expected")
        length = headers.get("content-length")
        if length is None:
            raise Refused(411, "the length must be told")
        if not re.fullmatch(r"[0-9]{1,9}", length):
            raise Refused(400, "no length")
        if int(length) > BODY_BYTES:
            raise Refused(413, f"more than {BODY_BYTES} bytes")
        return await reader.readexactly(int(length))

    def request(self, target, body):
        """Checks a request and passes on what was checked: written anew, in one line."""
        stream = self.streams.get(target.removeprefix("/request/")) if target.startswith("/request/") else None
        if stream is None:
            raise Refused(404, "there is no such stream")
        try:
            request = json.loads(body, parse_constant=no_constant)
            line = json.dumps(request, allow_nan=False).encode() + b"\n"
        except (ValueError, RecursionError):
            raise Refused(400, "not JSON") from None
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            raise Refused(400, "not a request")
        if request["method"] not in self.methods:
            raise Refused(403, "this method is not allowed")
        stream.request(line)

    async def events(self, reader, writer, cors):
        if len(self.streams) >= STREAMS:
            raise Refused(503, "too many streams")
        stream = Stream(writer)
        self.streams[stream.token] = stream
        writer.write(head(200, {"Content-Type": "text/event-stream", "Cache-Control": "no-store",
                                "X-Content-Type-Options": "nosniff", **cors}))
        tasks = []
        try:
            await stream.send(f"retry: 1000\nevent: stream\ndata: {stream.token}\n\n".encode())
            # The browser has said all that it has to say: whatever comes, its end most likely, is the end.
            tasks = [asyncio.create_task(work) for work in (stream.pump(self.path), stream.beat(), reader.read(1))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self.streams[stream.token]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.transport.abort()


async def drain(writer):
    """Waits until the browser's socket has taken everything, but not for ever."""
    if writer.transport.get_write_buffer_size():
        await asyncio.wait_for(writer.drain(), STALL_SECONDS)


def no_constant(word):
    raise ValueError(f"{word} is not JSON")


def head(status, headers):
    fields = {"Connection": "close", **headers}
    return "".join([f"HTTP/1.1 {status} \r\n", *(f"{name}: {value}\r\n" for name, value in fields.items()),
                    "\r\n"]).encode()


def reply(writer, status, data, headers):
    length = {} if status == 204 else {"Content-Length": len(data)}
    writer.write(head(status, {**length, "Cache-Control": "no-store", **headers}) + data)


async def run(options):
    bridge = Bridge(options)
    # Loopback, and nothing else, ever.
    server = await asyncio.start_server(bridge.serve, "127.0.0.1", options.port, limit=HEAD_BYTES)
    port = server.sockets[0].getsockname()[1]
    bridge.listening(port)
    print(f"serving http://127.0.0.1:{port}/", flush=True)
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await ended.wait()
    server.close()


def main():
    parser = argparse.ArgumentParser(description="Serves a page to this machine's browser and joins it with Detent.")
    parser.add_argument("--port", type=int, default=8080, help="of 127.0.0.1 (8080); 0: any that is free")
    parser.add_argument("--socket", default=os.environ.get("DETENT_SOCKET", "/run/detent/detent.sock"),
                        help="where Detent listens (/run/detent/detent.sock)")
    parser.add_argument("--page", default=pathlib.Path(__file__).parent / "page", help="the folder that is served")
    parser.add_argument("--origin", action="append", default=[], metavar="URL",
                        help="a page from here may connect, too: https://kiosk.example")
    parser.add_argument("--allow", action="append", default=[], metavar="METHOD",
                        help=f"a method that a page may call besides {', '.join(METHODS)}")
    options = parser.parse_args()
    try:
        asyncio.run(run(options))
    except OSError as error:
        sys.exit(f"bridge.py: {error.strerror or error}")


main()
