"""A webhook of the trial's own, and a night with one that misbehaves."""

import http.server
import json
import signal
import threading
import time


class Receiver(http.server.BaseHTTPRequestHandler):
    """A webhook that answers as it is told, and keeps which notices it took."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        plan = self.server.plan()
        if plan in ("hang", "slow"):
            time.sleep(33 if plan == "hang" else 0.8)
            plan = 200
        if plan == "drop":
            self.connection.close()
            return
        with self.server.lock:
            self.server.taken.append((plan, body))
        self.send_response(plan)
        if plan == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()

    def log_message(self, *words):
        pass


def receiver(plan):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.plan, server.taken, server.lock = plan, [], threading.Lock()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def webhook_settings(server):
    """How a worker is told to call it."""
    return {
        "KNOT_DELIVERY": "webhook",
        "KNOT_OUTBOX": None,
        "KNOT_WEBHOOK_URL": f"http://127.0.0.1:{server.server_port}/notices",
        "KNOT_WEBHOOK_KEY": "s" * 40,
        "KNOT_WEBHOOK_PRIVATE": "allowed",
    }


def bad_webhook(night, generator):
    """A webhook that is slow, gone, busy or hangs up: each notice is taken in the end, under one name."""
    night.sends_elsewhere = True
    lock = threading.Lock()
    hangs = [1]

    def plan():
        with lock:
            draw = generator.random()
            if hangs and hangs.pop():
                return "hang"
            return 503 if draw < 0.2 else 429 if draw < 0.3 else "drop" if draw < 0.5 else 200

    server = receiver(plan)
    worker = night.start(**webhook_settings(server))
    night.until_done(200)
    worker.send_signal(signal.SIGTERM)
    night.end(worker, {0, 143})
    names, rows = {}, night.psql("select count(*) from notification_queue where status = 'sent'")
    for code, body in server.taken:
        if code == 200:
            notice = json.loads(body)
            names.setdefault(notice["vault_id"], set()).add(notice["id"])
    night.trial.count("notices taken by a webhook", sum(1 for code, _ in server.taken if code == 200))
    if len(names) != int(rows[0][0]) or any(len(each) != 1 for each in names.values()):
        night.trial.violations.append(f"[bad_webhook] {rows[0][0]} sent, {len(names)} vaults taken, names {[len(each) for each in names.values()]}")
    server.shutdown()


ALL = (
    bad_webhook,
)
