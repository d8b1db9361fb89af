"""A connector with a webhook: brings the tickets of a help desk in as texts, and is told when each can be found.

It listens on RECEIVER_PORT, and ends once all have arrived.
"""
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from atrium import call  # noqa: E402

port = int(os.environ.get("RECEIVER_PORT", "8797"))
secret_file = Path(os.environ.get("SECRET_FILE", ".tickets-secret"))

# A real connector reads these from its service.
tickets = [
    {"id": "T-1", "title": "The gate stays open", "text": "The gate of hall 2 stays open after rain.", "state": "open"},
    {"id": "T-2", "title": "No invoice", "text": "The invoice of March did not arrive by mail.", "state": "closed"},
]


def prepare_secret():
    """Started twice, the program has one endpoint. Only its first reply shows the secret."""
    types = ["document.ready", "document.failed"]
    hook = call("PUT", "/webhooks", {"url": f"http://127.0.0.1:{port}/", "eventTypes": types})
    if "secret" not in hook and secret_file.exists():
        return secret_file.read_text()
    if "secret" not in hook:
        hook = call("POST", f"/webhooks/{hook['id']}/rotate-secret", {})
    secret_file.touch(mode=0o600)
    secret_file.write_text(hook["secret"])
    return hook["secret"]


def is_signed(headers, body, secret):
    """Standard Webhooks: an HMAC of id, time and body, at most five minutes old."""
    identity, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    signed = f"{identity}.{sent_at}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_fresh = sent_at.isdigit() and abs(time.time() - int(sent_at)) <= 300
    return is_fresh and any(
        hmac.compare_digest(given, expected) for given in headers.get("webhook-signature", "").split()
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if is_signed(self.headers, body, secret):
            event = json.loads(body)
            settled.add(event["data"]["id"])
            print(event["type"], flush=True)
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        """The events are what this program prints."""


secret = prepare_secret()
settled = set()
# The operating system keeps deliveries until they are handled below.
receiver = HTTPServer(("127.0.0.1", port), Receiver)

collections = call("GET", "/knowledge/collections?pageSize=100")
known = next((collection for collection in collections if collection["name"] == "Tickets"), None)
collection = known or call("POST", "/knowledge/collections", {"name": "Tickets"})
sent = set()
for ticket in tickets:
    address = f"/knowledge/collections/{collection['id']}/documents/{ticket['id']}"
    body = {"title": ticket["title"], "text": ticket["text"], "metadata": {"state": ticket["state"]}}
    document = call("PUT", address, body)
    sent.add(document["id"])
    # A ticket that has not changed causes no event.
    if document["status"] == "ready":
        settled.add(document["id"])
while not sent <= settled:
    receiver.handle_request()
