"""Readers of event streams besides httpx-sse: sseclient-py, requests-sse, aiohttp-sse-client, aiosseclient, lines by hand."""
import json

import aiosseclient
import httpx
import requests
import requests_sse
import sseclient
from aiohttp_sse_client import client as aiohttp_sse

from cases import API, OPENAI, awaited, case, equal, finish, sandbox, true

AUTHORIZATION = {'Authorization': 'Bearer ' + sandbox.key}
EVENTS = {**AUTHORIZATION, 'Accept': 'text/event-stream'}
RUN = f'{API}/agents/{sandbox.agent}/run'
STREAMED = {'model': 'sandbox', 'stream': True}
STREAMS = {
    'a run': (RUN, {'prompt': sandbox.saying}),
    'chat/completions': (OPENAI + '/chat/completions', {**STREAMED, 'messages': [{'role': 'user', 'content': sandbox.saying}]}),
    'responses': (OPENAI + '/responses', {**STREAMED, 'input': sandbox.saying}),
    'completions': (OPENAI + '/completions', {**STREAMED, 'prompt': sandbox.saying}),
}


def check(data):
    """Each event has data, and all but the last marker are JSON."""
    true(len(data) > 3, data)
    last = data.pop() if data[-1] == '[DONE]' else data[-1]
    true(last == '[DONE]' or json.loads(last)['type'] == 'run.succeeded', last)
    for text in data:
        json.loads(text)


def begin():
    headers = {**AUTHORIZATION, 'Prefer': 'respond-async'}
    return requests.post(RUN, headers=headers, json={'prompt': 'sim:stream=20'}, timeout=30).json()['data']['id']


def said(events):
    return len(''.join(event['text'] for event in events if event['type'] == 'text.delta').split())


for name, (url, body) in STREAMS.items():

    @case(f'sseclient-py over requests: {name}')
    def _():
        response = requests.post(url, headers=EVENTS, json=body, stream=True, timeout=60)
        check([event.data for event in sseclient.SSEClient(response).events()])

    @case(f'sseclient-py over httpx: {name}')
    def _():
        with httpx.stream('POST', url, headers=EVENTS, json=body, timeout=60) as response:
            check([event.data for event in sseclient.SSEClient(response.iter_bytes()).events()])

    @case(f'requests-sse: {name}')
    def _():
        data = []
        with requests_sse.EventSource(url, method='POST', headers=dict(EVENTS), json=body, timeout=60) as source:
            for event in source:
                data.append(event.data)
                if event.type == 'run.succeeded' or event.data == '[DONE]':
                    break
        check(data)

    @case(f'lines that begin with data: {name}')
    def _():
        response = requests.post(url, headers=EVENTS, json=body, stream=True, timeout=60)
        lines = response.iter_lines(decode_unicode=True)
        check([line.removeprefix('data: ') for line in lines if line.startswith('data: ')])


@case('sseclient-py: seventeen seconds of silence, with a keep-alive in their middle')
def _():
    response = requests.post(RUN, headers=EVENTS, json={'prompt': 'sim:slow=17s ' + sandbox.saying}, stream=True, timeout=60)
    check([event.data for event in sseclient.SSEClient(response).events()])


@case('requests-sse: a run that is followed')
def _():
    events = []
    with requests_sse.EventSource(f'{API}/runs/{begin()}/events', headers=dict(EVENTS), timeout=60) as source:
        for event in source:
            events.append(json.loads(event.data))
            if event.type == 'run.succeeded':
                break
    equal(said(events), 20)


@case('aiohttp-sse-client: a run that is followed')
def _():
    async def read():
        events = []
        async with aiohttp_sse.EventSource(f'{API}/runs/{begin()}/events', headers=dict(AUTHORIZATION)) as source:
            async for event in source:
                events.append(json.loads(event.data))
                if events[-1]['type'] == 'run.succeeded':
                    return events

    equal(said(awaited(read())), 20)


@case('aiosseclient: a run that is followed, to its end and without one')
def _():
    async def read():
        url = f'{API}/runs/{begin()}/events'
        return [json.loads(event.data) async for event in aiosseclient.aiosseclient(url, headers=dict(AUTHORIZATION))]

    events = awaited(read())
    equal([said(events), events[-1]['type']], [20, 'run.succeeded'])


finish()
