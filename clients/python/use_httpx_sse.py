"""httpx-sse, the usual reader of event streams in Python, at Atrium's own streams."""
import json

import httpx
from httpx_sse import connect_sse

from cases import API, WORDS, case, doors, equal, finish, sandbox

EVENTS = {'Accept': 'text/event-stream'}


def connect(door):
    return httpx.Client(base_url=API, timeout=60, headers={'Authorization': 'Bearer ' + door.key})


def read(door, prompt):
    with connect(door) as client:
        with connect_sse(client, 'POST', f'/agents/{door.agent}/run', json={'prompt': prompt}, headers=EVENTS) as source:
            return [json.loads(event.data) for event in source.iter_sse()]


def said(events):
    return ''.join(event['text'] for event in events if event['type'] == 'text.delta')


for door in doors:

    @case(f'{door.name}: each event of a run has data that is JSON')
    def _():
        events = read(door, door.saying)
        equal(said(events), WORDS)
        equal(events[-1]['type'], 'run.succeeded')


@case('sandbox: a keep-alive is no event')
def _():
    equal(said(read(sandbox, 'sim:slow=17s ' + sandbox.saying)), WORDS)


@case('sandbox: a stream that broke is resumed behind its last event')
def _():
    with connect(sandbox) as client:
        last, text, run_id, kind = None, '', None, None
        body = {'prompt': 'sim:disconnect_after=3 sim:stream=20'}
        request = ('POST', f'/agents/{sandbox.agent}/run', {'json': body, 'headers': EVENTS})
        for _try in range(3):
            method, path, options = request
            try:
                with connect_sse(client, method, path, **options) as source:
                    for event in source.iter_sse():
                        last, value = event.id, json.loads(event.data)
                        run_id, kind = value.get('runId', run_id), value['type']
                        text += value['text'] if kind == 'text.delta' else ''
            except httpx.RemoteProtocolError:
                # The prompt asks for the break.
                pass
            if kind == 'run.succeeded':
                break
            request = ('GET', f'/runs/{run_id}/events', {'headers': {**EVENTS, 'Last-Event-ID': last}})
        equal(kind, 'run.succeeded')
        equal(len(text.split()), 20)


finish()
