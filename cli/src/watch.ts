/** `listen` brings webhooks to a server at home, which needs no address outside; `runs tail` shows runs as they happen. */
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Atrium, mayPass } from '@atrium/sdk'
import { idOf, limitOf } from './ask.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

const pollMs = 2_000
const longestPauseMs = 30_000
const deliveryMs = 15_000
const triesOfDelivery = 3

type Event = Awaited<ReturnType<Atrium['events']['get']>>

export async function listen(context: Context): Promise<void> {
  const { terminal, options, env, atrium, signal } = context
  const to = options['forward-to'] as string | undefined
  if (to === undefined || !URL.canParse(to)) {
    throw new Failure('Usage: atrium listen --forward-to http://localhost:3000/webhooks', 'usage')
  }
  // Other users of the machine see what stands on a command line.
  const given = (options.secret as string | undefined) ?? env.ATRIUM_WEBHOOK_SECRET
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (!/^whsec_/.test(secret) || key.length < 16)
    throw new Failure('The secret must be whsec_ and base64', 'usage')
  const client = await atrium()
  const types = ((options.events as string | undefined) ?? '').split(',').filter(type => type !== '')
  const since = (options.since as string | undefined) ?? new Date().toISOString()
  terminal.note(`Events since ${since} go to ${to}, signed with\n\n    ${secret}\n`)
  terminal.value({ forwardTo: to, secret, since })
  await follow(context, newEvents(client, since), async event => {
    if (types.length > 0 && !types.some(type => isOfType(event.type, type))) return
    const status = await deliver(event, { to, key, signal })
    terminal.value({ id: event.id, type: event.type, status })
    terminal.line(`${event.createdAt}  ${event.type.padEnd(26)} ${event.id}  → ${status}`)
  })
}

/** `run.*` is every type of a kind. */
const isOfType = (type: string, wanted: string): boolean =>
  wanted === '*' || type === wanted || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1)))

/** As the server itself sends it, by Standard Webhooks; answers the status, or why there is none. */
async function deliver(
  event: Event,
  { to, key, signal }: { to: string; key: Buffer; signal: AbortSignal },
): Promise<string> {
  const body = JSON.stringify(event)
  for (let tries = 1; ; tries++) {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')
    try {
      const reply = await fetch(to, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryMs)]),
      })
      await reply.body?.cancel()
      return String(reply.status)
    } catch (error) {
      signal.throwIfAborted()
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message
      if (tries >= triesOfDelivery) return `not delivered (${cause})`
      await sleep(500 * tries, undefined, { signal })
    }
  }
}

export async function tailRuns(context: Context): Promise<void> {
  const { terminal, options, words, atrium } = context
  const client = await atrium()
  const [first] = words
  if (first !== undefined) return tailRun(context, client, first)
  const agent = options.agent as string | undefined
  const agentId =
    agent === undefined
      ? undefined
      : await idOf(agent, /^agt_/, 'agent', filter => client.agents.list(filter))
  const query = agentId === undefined ? {} : { agentId }
  const { items } = await client.runs.list({ ...query, pageSize: limitOf(options.limit, 10, 100) }).page()
  const newestBefore = items[0]?.id ?? ''
  const shown = new Map<string, string>()
  const show = (run: (typeof items)[number]): void => {
    if (shown.get(run.id) === run.status) return
    shown.set(run.id, run.status)
    terminal.value(run)
    terminal.line(`${run.createdAt}  ${run.status.padEnd(9)} ${run.id}  ${firstLine(run.prompt)}`)
  }
  for (const run of items.toReversed()) show(run)
  if (options['no-follow'] === true) return
  const recent = async function* () {
    // Those that were shown already, and whatever is newer: ids sort by time.
    const { items: now } = await client.runs.list({ ...query, pageSize: 100 }).page()
    yield* now.filter(({ id }) => shown.has(id) || id > newestBefore).toReversed()
    const listed = new Set(now.map(({ id }) => id))
    for (const id of shown.keys()) if (!listed.has(id)) shown.delete(id)
  }
  await follow(context, recent, async run => show(run))
}

async function tailRun({ terminal, signal }: Context, client: Atrium, id: string): Promise<void> {
  for await (const event of client.runs.follow(id, { signal, reconnectMs: 600_000 })) {
    terminal.value(event)
    if (event.type === 'text.delta') terminal.write(event.text)
    else if (event.type !== 'reasoning.delta') terminal.aside(`${event.at}  ${event.type}`)
  }
  terminal.write('\n')
}

const firstLine = (text: string | null): string => (text ?? '').split('\n', 1)[0]?.slice(0, 60) ?? ''

/** Yields what is newer than what it yielded before, oldest first. */
function newEvents(client: Atrium, since: string): () => AsyncIterable<Event> {
  let createdAfter = since
  // Events of the same instant may become visible one after another.
  let seen = new Set<string>()
  return async function* () {
    const fresh: Event[] = []
    for await (const event of client.events.list({ createdAfter })) fresh.push(event as Event)
    const ids = new Set<string>()
    for (const event of fresh.toReversed()) {
      ids.add(event.id)
      if (!seen.has(event.id)) yield event
    }
    seen = ids
    const overlap = new Date(Date.parse(fresh[0]?.createdAt ?? createdAfter) - 10_000).toISOString()
    if (fresh.length > 0 && overlap > createdAfter) createdAfter = overlap
  }
}

/** Asks again and again until Ctrl-C; a server that is away is told once, and asked less often. */
async function follow<Item>(
  { terminal, signal }: Context,
  next: () => AsyncIterable<Item>,
  each: (item: Item) => Promise<void>,
): Promise<void> {
  let faults = 0
  while (!signal.aborted) {
    try {
      for await (const item of next()) {
        signal.throwIfAborted()
        await each(item)
      }
      if (faults > 0) terminal.note('The server is back.')
      faults = 0
    } catch (error) {
      if (signal.aborted) return
      if (!mayPass(error)) throw error
      if (faults === 0) terminal.note(`${(error as Error).message.replace(/\.$/, '')}. Trying again…`)
      faults++
    }
    await sleep(Math.min(longestPauseMs, pollMs * (faults + 1)), undefined, { signal }).catch(() => undefined)
  }
}
