/**
 * What becomes of a folder of real and hostile files, through the public API alone: `npm run manifest -- FOLDER`.
 * The folder's `manifest.tsv` says what is expected of each. Exits with 1 where one file has another outcome.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSend } from './call.ts'
import { watchChildren } from './child-memory.ts'
import { expectations, faultsOf, type Got, holds, type Line } from './manifest-verdict.ts'
import { type AtriumUnderTest, startAtrium } from './process.ts'

/** What a file may take. */
const limitMs = 5_000
const limitMb = 300
/** A document that is not done by then never will be. */
const waitMs = 70_000
const contentStep = 100_000

type Result = Line & { got: string; found: string; ms: number; peakMb: number | null; faults: string[] }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Usage: npm run manifest -- FOLDER [--only PART-OF-A-NAME]')
  process.exit(2)
}
process.exitCode = (await tryFiles(folder, values.only)) ? 0 : 1

async function tryFiles(from: string, only: string): Promise<boolean> {
  const lines = (await readManifest(from)).filter(({ file }) => file.includes(only))
  await using atrium = await startAtrium()
  const api = createApi(atrium.url, await atrium.createKey('live'))
  const { data } = await api('POST', '/knowledge/collections', { json: { name: 'Manifest' } })
  const collectionId = String(data.id)
  const beforeMb = await atrium.residentMb()
  console.log(['file', 'format', 'expected', 'got', 'words', 'ms', 'peak MB', 'verdict'].join('\t'))
  const results: Result[] = []
  for (const line of lines) {
    const result = await tryFile(atrium, api, collectionId, from, line)
    console.log(printed(result))
    results.push(result)
  }
  const answers = await fetch(`${atrium.url}/healthz`).then(reply => reply.ok)
  const failed = results.filter(({ faults }) => faults.length > 0)
  console.log(`\n${results.length - failed.length} of ${results.length} files as expected`)
  console.log(`Slowest ${Math.max(...results.map(({ ms }) => ms))} ms`)
  console.log(
    `The server ${answers ? 'answers' : 'DOES NOT ANSWER'}; it held ${beforeMb.toFixed(0)} MB before,`,
  )
  console.log(
    `${(await atrium.residentMb()).toFixed(0)} MB after, ${(await atrium.peakMb()).toFixed(0)} MB at most`,
  )
  return answers && failed.length === 0
}

async function readManifest(from: string): Promise<Line[]> {
  const [, ...lines] = (await readFile(join(from, 'manifest.tsv'), 'utf8')).trimEnd().split(/\r?\n/)
  return lines.map(line => {
    const [file = '', format = '', expected = '', words = ''] = line.split('\t')
    if (!expectations.includes(expected)) throw new Error(`manifest.tsv expects "${expected}" of ${file}`)
    return { file, format, expected, words }
  })
}

async function tryFile(
  atrium: AtriumUnderTest,
  api: Api,
  collectionId: string,
  from: string,
  line: Line,
): Promise<Result> {
  const content = await readFile(join(from, line.file))
  const memory = await watchChildren(atrium.pid)
  const startedAt = performance.now()
  const reply = await upload(api, collectionId, line.file, content)
  const ms = Math.round(performance.now() - startedAt)
  // A refused file reaches no child; what an idle one holds says nothing.
  const heldMb = await memory.stop()
  const peakMb = reply.status < 300 ? heldMb : null
  const got = await outcomeOf(api, collectionId, reply)
  const faults = await faultsOf(line, got)
  if (ms > limitMs) faults.push(`took ${ms} ms`)
  if (peakMb !== null && peakMb > limitMb) faults.push(`took ${peakMb.toFixed(0)} MB`)
  const found =
    line.words === '' || got.text === null ? '' : holds(got.text, line.words) ? 'found' : 'missing'
  const described = got.text === null ? got.code : `text (${got.text.length})`
  return { ...line, got: described, found, ms, peakMb, faults }
}

/** The document once it is ready or failed, or the refusal. */
async function upload(api: Api, collectionId: string, file: string, content: Buffer): Promise<Reply> {
  const wait = { prefer: 'wait=60' }
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set('file', new File([Uint8Array.from(content)], file))
  const giveUpAt = performance.now() + waitMs
  let reply = await api('POST', '/knowledge/documents', { body: form, headers: wait })
  while (reply.status < 300 && !['ready', 'failed'].includes(String(reply.data.status))) {
    if (performance.now() > giveUpAt) break
    reply = await api('GET', `/knowledge/documents/${reply.data.id}`, { headers: wait })
  }
  return reply
}

async function outcomeOf(api: Api, collectionId: string, { status, data, body }: Reply): Promise<Got> {
  const finds = async (words: string): Promise<boolean> => {
    const parameters = new URLSearchParams({ query: words, collectionId, pageSize: '50' })
    const found = await api('GET', `/knowledge/search?${parameters}`)
    const results = found.status === 200 ? (found.body.data as { documentId: string }[]) : []
    return results.some(({ documentId }) => documentId === data.id)
  }
  const about = { finds, pageCount: typeof data.pageCount === 'number' ? data.pageCount : null }
  if (status >= 300) return { ...about, text: null, code: String(status), message: String(body.message) }
  if (data.status === 'ready')
    return { ...about, text: await textOf(api, String(data.id)), code: '', message: '' }
  const error = (data.error ?? {}) as { code?: string; message?: string }
  return { ...about, text: null, code: error.code ?? String(data.status), message: error.message ?? '' }
}

async function textOf(api: Api, id: string): Promise<string> {
  const parts: string[] = []
  for (let from = 0; ; from += contentStep) {
    const { data } = await api(
      'GET',
      `/knowledge/documents/${id}/content?from=${from}&to=${from + contentStep}`,
    )
    parts.push(String(data.text))
    if (Number(data.length) <= from + contentStep) return parts.join('')
  }
}

function printed({ file, format, expected, got, found, ms, peakMb, faults }: Result): string {
  const verdict = faults.length === 0 ? 'ok' : `FAIL: ${faults.join('; ')}`
  const peak = peakMb === null ? '-' : peakMb.toFixed(0)
  return [file, format, expected, got, found || '-', ms, peak, verdict].join('\t')
}

type Body = Record<string, unknown>
type Reply = { status: number; body: Body; data: Body }
type Api = ReturnType<typeof createApi>

/** Errors are answers here. */
function createApi(url: string, key: string) {
  const send = createSend(url, key)
  return async (...asked: Parameters<typeof send>): Promise<Reply> => {
    const reply = await send(...asked)
    const body = (await reply.json()) as Body
    return { status: reply.status, body, data: (body.data ?? {}) as Body }
  }
}
