"""Mirrors a folder in a collection: `python3 main.py FOLDER`. A second call sends only what has changed."""
import hashlib
import os
import sys
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from atrium import call  # noqa: E402

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
entries = [
    {"externalId": name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()} for name, path in files.items()
]

collections = call("GET", "/knowledge/collections?pageSize=100")
known = next((collection for collection in collections if collection["name"] == folder.name), None)
collection = known or call("POST", "/knowledge/collections", {"name": folder.name})

# A run of this program that broke off leaves its session open.
opened = call("POST", f"/knowledge/collections/{collection['id']}/syncs", {"entries": entries, "ifOpen": "cancel"})
for item in opened["upload"]:
    path = files[item["externalId"]]
    address = f"/knowledge/collections/{collection['id']}/documents/{quote(item['externalId'], safe='')}"
    call("PUT", address, file=(path.name, path.read_bytes()))
sync = call("POST", f"/knowledge/syncs/{opened['sync']['id']}/complete", {}, Prefer="wait=60")
print(", ".join(f"{sync[count]} {count}" for count in ("added", "changed", "unchanged", "deleted")))
