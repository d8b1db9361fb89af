/** Readers of event streams at Atrium's own streams: whole, broken and resumed, and at the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchEventSource } from '@microsoft/fetch-event-source'
import { EventSource } from 'eventsource'
import EventSource2 from 'eventsource-2'
import { createParser } from 'eventsource-parser'
import { Agent, EventSource as UndiciEventSource } from 'undici'
import { tryClient, words } from '../openai/server.ts'
import { cutStreamsOf } from './cutting-proxy.ts'

const tried = tryClient()
const direct = { origin: '', cuts: 0 }
const proxy = cutStreamsOf(() => tried.server.origin, 3)
const origin = (place: { origin: string }) => place.origin || tried.server.origin
const authorization = () => ({ authorization: `Bearer ${tried.key}` })

/** A run that is followed from its beginning. */
async function begin(prompt = 'Hi'): Promise<string> {
  const response = await fetch(`${tried.server.origin}/api/v1/agents/${tried.model}/run`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ prompt }),
  })
  assert.equal(response.status, 202)
  const { data } = (await response.json()) as { data: { id: string } }
  return data.id
}

type Message = { data: string; type: string; lastEventId: string }
type Source = {
  addEventListener(type: string, listener: (message: Message) => void): void
  onerror: unknown
  readyState: number
  close(): void
}

const types = ['run.queued', 'run.started', 'step.started', 'text.delta', 'step.finished', 'run.succeeded']

/** Each reader of the standard's interface, in its own way of sending a key. */
const sources: Record<string, (url: string) => Source> = {
  eventsource: url =>
    new EventSource(url, {
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...authorization() } }),
    }) as unknown as Source,
  'eventsource 2': url => new EventSource2(url, { headers: authorization() }) as unknown as Source,
  undici: url =>
    new UndiciEventSource(url, {
      node: {
        dispatcher: new Agent().compose(dispatch => (options, handler) => {
          const headers = new Headers([...new Headers(options.headers as HeadersInit)])
          headers.set('authorization', authorization().authorization)
          return dispatch({ ...options, headers: Object.fromEntries(headers) }, handler)
        }),
      },
    }) as unknown as Source,
}

for (const [name, open] of Object.entries(sources)) {
  for (const [how, place] of [
    ['whole', direct],
    ['cut again and again, and resumed', proxy],
  ] as const) {
    test(`${name}: a run, ${how}`, { timeout: 30_000 }, async () => {
      const before = place.cuts
      const url = `${origin(place)}/api/v1/runs/${await begin()}/events`
      let text = ''
      const ids: string[] = []
      await new Promise<void>((resolve, reject) => {
        const source = open(url)
        source.onerror = () => source.readyState === 2 && reject(new Error('The reader gave up'))
        for (const type of types) {
          source.addEventListener(type, message => {
            const event = JSON.parse(message.data)
            assert.equal(event.type, message.type)
            ids.push(message.lastEventId)
            text += event.text ?? ''
            if (type !== 'run.succeeded') return
            source.close()
            resolve()
          })
        }
      })
      assert.equal(text, words)
      assert.equal(new Set(ids).size, ids.length, 'no event comes twice')
      assert.equal(place.cuts > before, place === proxy)
    })
  }

  test(`${name}: a reader that connects again after the end stops`, { timeout: 30_000 }, async () => {
    const source = open(`${origin(direct)}/api/v1/runs/${await begin()}/events`)
    let ends = 0
    source.addEventListener('run.succeeded', () => {
      ends += 1
    })
    await new Promise<void>(resolve => {
      const timer = setInterval(() => {
        if (source.readyState !== 2) return
        clearInterval(timer)
        resolve()
      }, 50)
    })
    assert.equal(ends, 1)
  })
}

/** It is made for pages. */
Object.assign(globalThis, {
  window: { setTimeout, clearTimeout, fetch },
  document: { hidden: false, addEventListener: () => undefined, removeEventListener: () => undefined },
})

async function readPost(place: { origin: string }, headers: Record<string, string>) {
  let text = ''
  const runs = new Set<string>()
  const stop = new AbortController()
  await fetchEventSource(`${origin(place)}/api/v1/agents/${tried.model}/run`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ prompt: 'Hi' }),
    signal: stop.signal,
    onmessage({ data }) {
      const event = JSON.parse(data)
      runs.add(event.runId)
      text += event.text ?? ''
      // Otherwise it would ask again, and take the 204 for an error.
      if (event.type === 'run.succeeded') stop.abort()
    },
    async onopen(response) {
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    },
    onerror(error) {
      if (String(error).includes('Last-Event-ID')) throw error
    },
  })
  return { text, runs: runs.size }
}

test('fetch-event-source: a run by POST, whole', async () => {
  assert.deepEqual(await readPost(direct, {}), { text: words, runs: 1 })
})

test('fetch-event-source: a POST that breaks goes on with the same run, by its Idempotency-Key', async () => {
  const before = proxy.cuts
  const key = { 'idempotency-key': `readers-${process.pid}-${before}` }
  assert.deepEqual(await readPost(proxy, key), { text: words, runs: 1 })
  assert.ok(proxy.cuts > before)
})

test('fetch-event-source: a POST that breaks without a key is refused, and no other run begins', async () => {
  const before = (await tried.runs(tried.model)).length
  await assert.rejects(readPost(proxy, {}), /Last-Event-ID/)
  assert.equal((await tried.runs(tried.model)).length, before + 1)
})

const bodies = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/responses': { input: 'Hi' },
  '/v1/completions': { prompt: 'Hi' },
}

for (const [path, body] of Object.entries(bodies)) {
  test(`eventsource-parser: ${path} has no event without data, and no line that it does not know`, async () => {
    const response = await fetch(`${tried.server.origin}${path}`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({ model: tried.model, stream: true, ...body }),
    })
    const events: string[] = []
    const parser = createParser({
      onEvent: ({ data }) => events.push(data),
      onError(error) {
        throw error
      },
    })
    parser.feed(await response.text())
    assert.equal(events.pop(), '[DONE]')
    assert.ok(events.length > 3)
    for (const data of events) JSON.parse(data)
  })
}
