# SPDX-License-Identifier: Apache-2.0
"""The bridge's rules: who may ask, what may be asked, and what slow and broken browsers do to others."""
import concurrent.futures
import json
import os
import re
import socket
import subprocess
import sys
import unittest

import bench

PICKER = {"drink", "amount", "cup", "light"}


class Bridge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(bench.folder())
        cls.path = f"{cls.folder}/detent.sock"
        recording = f"{cls.folder}/nothing.jsonl"
        with open(recording, "w", encoding="utf-8") as file:
            file.write('{"recording":1,"devices":[]}\n')
        cls.start = lambda: bench.daemon(cls.path, bench.KIOSK / "portrait.toml", recording)
        cls.enterClassContext(cls.start())
        cls.port = cls.enterClassContext(bench.bridge(cls.path, "--origin", "https://kiosk.example"))
        cls.host = f"127.0.0.1:{cls.port}"
        cls.own = f"http://{cls.host}"

    def events(self, **headers):
        stream = bench.Events(self.port, **headers)
        self.addCleanup(stream.close)
        return stream

    def raw(self, data):
        """Sends bytes and gives the status and all that comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=15) as connection:
            connection.sendall(data)
            reply = b""
            while part := connection.recv(65536):
                reply += part
                if reply.startswith(b"HTTP/1.1 200") and b"event-stream" in reply:
                    break
        return int(reply.split()[1]), reply

    def ask(self, method="GET", target="/", body=b"", **headers):
        fields = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items() if value)]
        return self.raw("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def post(self, token, request, **headers):
        body = request if isinstance(request, bytes) else json.dumps(request).encode()
        headers = {"Origin": self.own, "Content_Type": "application/json", "Content_Length": str(len(body)), **headers}
        return self.ask("POST", f"/request/{token}", body, **headers)[0]

    # What works

    def test_page_is_served(self):
        status, reply = self.ask()
        self.assertEqual(status, 200)
        self.assertIn(b"<title>", reply)
        self.assertIn(b"Content-Security-Policy: default-src 'none'", reply)
        for name in os.listdir(bench.KIOSK / "page"):
            self.assertEqual(self.ask(target=f"/{name}")[0], 200, name)
        self.assertEqual(self.ask(Host=f"localhost:{self.port}")[0], 200)

    def test_page_loads_nothing_from_elsewhere(self):
        for path in (bench.KIOSK / "page").iterdir():
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            self.assertIsNone(re.search(r"https?:|//\w+\.", text), path.name)

    def test_events_and_requests(self):
        stream = self.events()
        snapshot = stream.message(lambda message: message.get("id") == "subscribe")["result"]
        self.assertEqual({state["picker"] for state in snapshot["pickers"]}, PICKER)
        request = {"jsonrpc": "2.0", "id": 7, "method": "select", "params": {"picker": "cup", "value": "#ffffff"}}
        self.assertEqual(self.post(stream.token, request), 204)
        self.assertEqual(stream.message(lambda message: message.get("id") == 7)["result"]["title"], "White")
        self.assertEqual(stream.message(lambda message: message.get("method") == "selection")["params"]["cause"],
                         "select")

    # Who may ask

    def test_foreign_host_is_refused(self):
        for host in ("kiosk.example", f"kiosk.example:{self.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.2:{self.port}",
                     f"{self.host}.kiosk.example", f"user@{self.host}", f"0.0.0.0:{self.port}", "", None):
            self.assertEqual(self.ask(Host=host)[0], 403, host)
            self.assertEqual(self.ask(target="/events", Host=host)[0], 403, host)
        self.assertEqual(self.raw(f"GET / HTTP/1.1\r\nHost: {self.host}\r\nHost: a\r\n\r\n".encode())[0], 400)

    def test_foreign_origin_is_refused(self):
        stream = self.events()
        stream.next()
        request = {"jsonrpc": "2.0", "id": 1, "method": "list"}
        for origin in ("https://other.example", "null", f"https://{self.host}", "http://127.0.0.1", "http://127.0.0.1:1",
                       f"{self.own}.other.example", f"{self.own}/", "https://kiosk.example:444", None):
            self.assertEqual(self.post(stream.token, request, Origin=origin), 403, origin)
            if origin:
                self.assertEqual(self.ask(target="/events", Origin=origin)[0], 403, origin)
                self.assertEqual(self.ask("OPTIONS", f"/request/{stream.token}", Origin=origin)[0], 403, origin)
        for site in ("cross-site", "same-site"):
            self.assertEqual(self.ask(target="/events", Sec_Fetch_Site=site)[0], 403, site)
            self.assertEqual(self.ask(Sec_Fetch_Site=site)[0], 403, site)
        self.assertEqual(self.ask(Sec_Fetch_Site="none")[0], 200)

    def test_named_origin_is_let_in(self):
        origin = "https://kiosk.example"
        allowed = f"Access-Control-Allow-Origin: {origin}".encode()
        status, reply = self.ask(target="/events", Origin=origin, Sec_Fetch_Site="cross-site")
        self.assertEqual((status, allowed in reply), (200, True))
        status, reply = self.ask("OPTIONS", "/request/x", Origin=origin, Access_Control_Request_Method="POST")
        self.assertEqual((status, allowed in reply), (204, True))
        self.assertNotIn(b"Access-Control", self.ask(Origin=self.own)[1])

    # What may be asked

    def test_methods(self):
        stream = self.events()
        for method in ("inhibit", "add", "replace", "remove", "reload", "subscribe", "describe", "", "SELECT", "rpc.x"):
            self.assertEqual(self.post(stream.token, {"jsonrpc": "2.0", "id": 1, "method": method}), 403, method)
        for body in (b"", b"{", b"[]", b"7", b'"x"', b'{"id":1}', b'{"method":7}', b'{"method":["list"]}', b"\xff",
                     b'[{"jsonrpc":"2.0","method":"reload"}]', b'{"method":"list","params":{"x":NaN}}',
                     b"[" * 16000, b'{"method":"list"}\n{"method":"reload"}'):
            self.assertEqual(self.post(stream.token, body), 400, body[:60])

    def test_last_of_two_members_counts_for_both_sides(self):
        stream = self.events()
        stream.message(lambda message: message.get("id") == "subscribe")
        body = b'{"jsonrpc":"2.0","id":5,"method":"reload","method":"list"}'
        self.assertEqual(self.post(stream.token, body), 204)
        self.assertEqual(len(stream.message(lambda message: message.get("id") == 5)["result"]), 4)

    def test_unknown_token_is_refused(self):
        stream = self.events()
        for token in ("", "x", stream.token[:-1], stream.token + "x", "../events", f"{stream.token}/", "%00"):
            self.assertEqual(self.post(token, {"jsonrpc": "2.0", "id": 1, "method": "list"}), 404, token)
        stream.close()
        bench.until("the stream's end", lambda: self.post(
            stream.token, {"jsonrpc": "2.0", "id": 1, "method": "list"}) == 404)

    def test_bodies(self):
        token = self.events().token
        self.assertEqual(self.ask(Content_Length="5", body=b"hello")[0], 400)
        self.assertEqual(self.ask(target="/events", Transfer_Encoding="chunked", body=b"0\r\n\r\n")[0], 400)
        self.assertEqual(self.post(token, b" " * 16385), 413)
        self.assertEqual(self.post(token, b"{}", Content_Length="99999999999"), 400)
        for length in ("-1", "+2", "2, 2", "0x2", "two"):
            self.assertEqual(self.post(token, b"{}", Content_Length=length), 400, length)
        self.assertEqual(self.post(token, b"{}", Content_Length=None), 411)
        self.assertEqual(self.post(token, b"{}", Transfer_Encoding="chunked"), 400)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
            self.assertEqual(self.post(token, b'{"method":"list"}', Content_Type=kind), 415, kind)
        self.assertEqual(self.raw(f"POST /request/{token} HTTP/1.1\r\nHost: {self.host}\r\nOrigin: {self.own}\r\n"
                                  "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}".encode())[0], 400)

    def test_other_verbs(self):
        for verb in ("HEAD", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE", "OPTIONS"):
            self.assertEqual(self.ask(verb, Origin=self.own)[0], 405, verb)

    def test_paths(self):
        for target in ("/../bridge.py", "/..%2fbridge.py", "/%2e%2e/bridge.py", "//etc/passwd", "/./index.html",
                       "/index.html/", "/page/../index.html", "/.hidden", "/..", "/index.html%00", "/index.html?x",
                       "/..\\bridge.py", "/bridge.py"):
            self.assertEqual(self.ask(target=target)[0], 404, target)
        for target in ("http://127.0.0.1/", "*", "index.html", "/a b"):
            self.assertEqual(self.ask(target=target)[0], 400, target)

    def test_links_are_not_followed(self):
        with bench.folder() as page:
            os.symlink("/etc/passwd", f"{page}/passwd")
            with bench.bridge(self.path, "--page", page) as port:
                head = f"GET /passwd HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
                with socket.create_connection(("127.0.0.1", port), timeout=15) as connection:
                    connection.sendall(head)
                    self.assertIn(b" 404 ", connection.recv(65536))

    def test_heads(self):
        self.assertEqual(self.raw(b"\r\n\r\n")[0], 400)
        self.assertEqual(self.raw(b"GET / HTTP/2.0\r\n\r\n")[0], 400)
        self.assertEqual(self.raw(b"GET / HTTP/1.1\nHost: a\n\r\n\r\n")[0], 400)
        self.assertEqual(self.raw(f"GET / HTTP/1.1\r\nHost: {self.host}\r\n folded\r\n\r\n".encode())[0], 400)
        self.assertEqual(self.raw(f"GET / HTTP/1.1\r\nHost : {self.host}\r\n\r\n".encode())[0], 400)
        self.assertEqual(self.raw(f"GET / HTTP/1.1\r\nHost: {self.host}\xe9\r\n\r\n".encode("latin1"))[0], 400)
        self.assertEqual(self.ask(X="x" * 20000)[0], 431)

    def test_only_loopback(self):
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{self.port:04X}", listening)
        self.assertNotIn(f"00000000:{self.port:04X}", listening)

    # What others do

    def test_half_open_and_silent_browsers_hold_nobody_up(self):
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(8)]
        for connection in silent:
            self.addCleanup(connection.close)
            connection.sendall(b"GET / HTTP/1.1\r\nHost")
        stuck = []
        for _ in range(4):
            # It asks for events and never reads one.
            connection = socket.socket()
            self.addCleanup(connection.close)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", self.port))
            connection.sendall(f"GET /events HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
            stuck.append(connection)
        reader = self.events()
        reader.message(lambda message: message.get("id") == "subscribe")
        client = bench.Client(self.path)
        self.addCleanup(client.close)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            last = pool.submit(reader.message, lambda message: message.get("method") == "selection"
                               and message["params"]["index"] == 9)
            for step in range(2000):
                client.call("select", picker="amount", index=step % 2)
            client.call("select", picker="amount", index=9)
            self.assertEqual(last.result()["params"]["title"], "75 ml")
        self.assertEqual(self.ask()[0], 200)
        # Those who never finish their request are sent away.
        for connection in silent:
            connection.settimeout(15)
            self.assertEqual(connection.recv(1), b"")
        bench.until("the stuck ones' end", lambda: client.call("stats")["clients"] <= 2)

    def test_too_many_streams(self):
        with bench.bridge(self.path) as port:
            streams = [bench.Events(port) for _ in range(16)]
            refused = bench.Events(port)
            self.assertEqual([stream.status for stream in streams], [200] * 16)
            self.assertEqual(refused.status, 503)
            for stream in [refused, *streams]:
                stream.close()
            bench.until("room", lambda: bench.Events(port).status == 200)

    def test_daemon_goes_and_comes(self):
        with bench.folder() as folder, bench.bridge(f"{folder}/detent.sock") as port:
            recording = f"{folder}/nothing.jsonl"
            with open(recording, "w", encoding="utf-8") as file:
                file.write('{"recording":1,"devices":[]}\n')
            stream = bench.Events(port)
            self.addCleanup(stream.close)
            stream.next("lost")
            for _ in range(2):
                with bench.daemon(f"{folder}/detent.sock", bench.KIOSK / "portrait.toml", recording) as daemon:
                    stream.message(lambda message: message.get("id") == "subscribe")
                    daemon.kill()
                    stream.next("lost")
                    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
                    connection = bench.http.client.HTTPConnection("127.0.0.1", port, timeout=15)
                    connection.request("POST", f"/request/{stream.token}", b'{"method":"list"}', headers)
                    self.assertEqual(connection.getresponse().status, 503)
                    connection.close()

    def test_port_in_use_is_said(self):
        result = subprocess.run([sys.executable, bench.KIOSK / "bridge.py", "--port", str(self.port)],
                                capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("in use", result.stderr)
        self.assertNotIn("Traceback", result.stderr)
