"""A way to the server that can be cut: whole connections end after some bytes, before or after a COMMIT went through."""

import socket
import threading


class CuttingProxy:
    """Listens on loopback, hands bytes on in both directions, and cuts connections as it is told."""

    def __init__(self, port, generator):
        self.target = port
        self.generator = generator
        self.share = 0.0
        self.cut = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        """Serves each connection on threads of its own."""
        while True:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            plan = self.generator.choice(("bytes", "before", "after")) if self.generator.random() < self.share else None
            budget = self.generator.randint(200, 60_000) if plan == "bytes" else None
            pair = (client, server)
            threading.Thread(target=self.hand_on, args=(client, server, pair, plan, budget), daemon=True).start()
            threading.Thread(target=self.hand_on, args=(server, client, pair, None, None), daemon=True).start()

    def hand_on(self, source, target, pair, plan, budget):
        """Copies one direction until it ends or is cut."""
        try:
            while data := source.recv(65_536):
                commits = plan in ("before", "after") and b"commit" in data.lower()
                if commits and plan == "before":
                    self.cut += 1
                    break
                target.sendall(data)
                if budget is not None:
                    budget -= len(data)
                if commits or (budget is not None and budget < 0):
                    self.cut += 1
                    break
        except OSError:
            pass
        for each in pair:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def close(self):
        """Takes no more connections."""
        self.listener.close()
