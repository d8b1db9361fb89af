/** `ask AGENT QUESTION` streams an answer with its sources; `search QUESTION` shows passages. */
import type { Atrium, Run } from '@atrium/sdk'
import { passageUrl, titlesOf } from '@atrium/sdk/records'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { serverOf } from './connect.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

/** How many names a message tells. */
const mostShown = 10

export async function ask(context: Context): Promise<void> {
  const { terminal, options, words, atrium, stdin, signal } = context
  const [named = '', ...question] = words
  const piped = (await stdin()).trim()
  const prompt = [question.join(' '), piped].filter(part => part !== '').join('\n\n')
  if (named === '' || prompt === '') throw new Failure('Usage: atrium ask AGENT QUESTION', 'usage')
  const client = await atrium()
  const agentId = await idOf(named, /^agt_/, 'agent', filter => client.agents.list(filter))
  const conversation = options.conversation as string | undefined
  let runId: string | null = null
  let text = ''
  const stop = () => {
    // The person who stops the command does not wait for the answer: it must not go on to cost.
    if (runId !== null) void client.runs.cancel(runId).catch(() => undefined)
  }
  signal.addEventListener('abort', stop, { once: true })
  let ended: Run | null = null
  const run = withoutUndefined({ prompt, conversationId: conversation })
  for await (const event of client.agents.stream(agentId, run, { reconnectMs: 60_000 })) {
    runId = event.runId
    if (signal.aborted) stop()
    if (event.type === 'text.delta') {
      text += event.text
      terminal.write(event.text)
    }
    if (event.type === 'step.restarted' && text !== '') {
      text = ''
      terminal.note('\nThe answer begins again.')
    }
    if (event.type === 'step.started' && text !== '') {
      text = ''
      terminal.write('\n\n')
    }
    if ('run' in event) ended = event.run
  }
  if (ended === null) throw new Failure('The server told nothing of the end of the run')
  terminal.value(ended)
  terminal.write('\n')
  checkEnd(ended)
  // A program has the run itself.
  if (terminal.json) return
  await showSources(ended, context, client)
  terminal.aside(`--conversation ${ended.conversationId} asks further`)
}

function checkEnd(run: Run): void {
  if (run.status === 'failed')
    throw new Failure(`The run ${run.id} failed: ${run.error?.message ?? 'no reason given'}`)
  if (run.status === 'cancelled') throw new Failure(`The run ${run.id} was stopped`, 'interrupted')
  if (run.status === 'waiting') {
    throw new Failure(
      `The run ${run.id} waits for ${[...run.pendingApprovals, ...run.pendingToolCalls].map(({ name }) => name).join(', ')}: decide in the console.`,
    )
  }
}

/** Each with the page of the console that shows the passage. */
async function showSources(
  run: Run,
  { terminal, options, env, store }: Context,
  client: Atrium,
): Promise<void> {
  if (run.citations.length === 0) return
  const titles = titlesOf(run)
  const origin = await serverOf({ profile: options.profile, env, store })
  const { environment } = await client.me()
  for (const citation of run.citations) {
    const { marker, documentId, page, quote } = citation
    const title = oneLine(titles.get(documentId) ?? documentId)
    const where = page === null ? title : `${title}, page ${page}`
    terminal.aside(`${marker} ${where}: “${oneLine(quote)}”`)
    terminal.aside(`    ${passageUrl(origin, environment, citation)}`)
  }
}

export async function search({ terminal, options, words, atrium }: Context): Promise<void> {
  const query = words.join(' ')
  if (query === '') throw new Failure('Usage: atrium search QUESTION', 'usage')
  const client = await atrium()
  const collection = options.collection as string | undefined
  const collectionId = collection === undefined ? undefined : [await collectionIdOf(client, collection)]
  const pageSize = limitOf(options.limit, 10, 50)
  const { items } = await client.knowledge.search(query, withoutUndefined({ pageSize, collectionId })).page()
  for (const hit of items) {
    terminal.value(hit)
    const { title, name, documentId, location } = hit
    const page = location.page === null ? '' : `, page ${location.page}`
    terminal.line(`${title ?? name}${page}  ${documentId}`)
    terminal.line(`    ${oneLine(hit.text)}\n`)
  }
  if (items.length === 0) terminal.note('Nothing was found.')
}

export const collectionIdOf = (client: Atrium, named: string): Promise<string> =>
  idOf(named, /^col_/, 'collection', filter => client.knowledge.collections.list(filter))

/** A record by its id or by its name, whatever its case. */
export async function idOf(
  named: string,
  form: RegExp,
  what: string,
  list: (filter: { name?: string; pageSize: number }) => {
    page(): Promise<{ items: { id: string; name: string }[] }>
  },
): Promise<string> {
  if (form.test(named)) return named
  const { items } = await list({ name: named, pageSize: mostShown }).page()
  const [found, other] = items
  if (found === undefined) {
    const others = (await list({ pageSize: mostShown }).page()).items.map(({ name }) => `“${name}”`)
    const remedy = others.length === 0 ? 'There is none yet.' : `There is ${others.join(', ')}.`
    throw new Failure(`There is no ${what} named “${named}”. ${remedy}`)
  }
  if (other !== undefined)
    throw new Failure(`Several are named “${named}”: ${items.map(({ id }) => id).join(', ')}`)
  return found.id
}

export function limitOf(given: unknown, usual: number, most: number): number {
  if (given === undefined) return usual
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit
  throw new Failure(`--limit must be a number from 1 to ${most}`, 'usage')
}

const shownLength = 240
const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line
}
