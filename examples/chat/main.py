"""A chat in the terminal. The agent looks up orders by a function of this program: type a question, or end with Ctrl-D."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from atrium import call  # noqa: E402

# What this program knows, and the server does not.
orders = {7: {"state": "shipped", "carrier": "Northway"}, 8: {"state": "packed", "carrier": None}}

look_up_order = {
    "name": "look_up_order",
    "description": "Finds an order of the customer by its number.",
    "inputSchema": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
}


def result_of(pending):
    order = orders.get(pending["input"]["number"])
    if order is None:
        # The model reads the message, and tells the customer.
        return {"toolCallId": pending["toolCallId"], "error": f"There is no order {pending['input']['number']}"}
    return {"toolCallId": pending["toolCallId"], "output": order}


agent = call("POST", "/agents", {
    "name": "Shop",
    "instructions": "You answer customers of a shop. Look orders up before you speak of them.",
    "tools": [],
    "functions": [look_up_order],
})
conversation = {}
for line in sys.stdin:
    run = call("POST", f"/agents/{agent['id']}/run", {"prompt": line.strip(), **conversation})
    while run["status"] not in ("succeeded", "failed", "cancelled"):
        results = [result_of(pending) for pending in run["pendingToolCalls"]]
        if results:
            run = call("POST", f"/runs/{run['id']}/tool-results", {"results": results}, Prefer="wait=60")
        else:
            run = call("GET", f"/runs/{run['id']}", Prefer="wait=60")
    conversation = {"conversationId": run["conversationId"]}
    print(run["output"] or run["error"]["message"])
call("DELETE", f"/agents/{agent['id']}")
