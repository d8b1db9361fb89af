"""The calls of the Python examples: JSON and files over HTTP. Needs Python 3.9 or newer, and no package."""
import json
import os
import sys
import urllib.error
import urllib.request
import uuid

base = os.environ["ATRIUM_URL"].rstrip("/") + "/api/v1"


def call(method, path, body=None, file=None, **headers):
    """Returns the reply's `data`. `file` is (name, bytes) for an upload. Ends the program with the server's message."""
    headers["Authorization"] = "Bearer " + os.environ["ATRIUM_API_KEY"]
    data = None
    if file is not None:
        data, headers["Content-Type"] = multipart(*file)
    elif body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    request = urllib.request.Request(base + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as reply:
            text = reply.read()
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        faults = "".join(f"\n  {fault['field']}: {fault['message']}" for fault in problem["errors"])
        sys.exit(f"{method} {path}: {problem['message']} ({problem['code']}){faults}")
    return json.loads(text)["data"] if text else None


def multipart(name, content):
    """A form with one part, the file."""
    boundary = uuid.uuid4().hex
    quoted = name.replace('"', "%22")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"
