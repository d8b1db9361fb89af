/**
 * Any HTTP API: open to all, or opened by secrets in headers or by a name and a password. The settings describe its
 * lists.
 */
import type { Connector, Context } from '../connector.ts'
import { keyHeaders } from '../headers.ts'
import { HttpFailure } from '../http.ts'
import { addressOf, instantAt, misfit, valueAt, withId } from './api.ts'
import { beginning, nextPosition } from './paging.ts'
import { checkSettings, type HttpConfig, httpSchema, type ListSettings } from './settings.ts'
import { blaming, httpSource, idOf, isGone, readItem, readPage } from './source.ts'
import { httpTools } from './tools.ts'

export const httpApi: Connector<HttpConfig> = {
  id: 'http',
  name: 'HTTP API',
  description: 'Any HTTP API: open to all, opened by secrets in headers, or by a name and a password.',
  category: 'custom',
  documentationUrl: null,
  auth: [
    {
      kind: 'api_key',
      help: 'The key that the API asks for.',
      headers: keyHeaders,
    },
    { kind: 'headers', help: 'For an API that asks for several secrets, each in a header of its own.' },
    { kind: 'basic', help: 'The name and the password that the API asks for.' },
    { kind: 'none' },
  ],
  configSchema: httpSchema,
  checkConfig: checkSettings,
  origins: ({ baseUrl }) => [new URL(baseUrl).origin],
  blamedField: 'testPath',
  async check(context) {
    const { config, http } = context
    const response = await http.send(addressOf(config, config.testPath).href, { headers: config.headers })
    await response.body?.cancel()
    const { list } = config
    // The person who connects learns at once which setting is wrong.
    if (list !== undefined) await checkList(context, list)
    const url = new URL(config.baseUrl)
    return { id: url.href, name: url.host }
  },
  source: {
    ...httpSource,
    refusal: ({ list }) =>
      list === undefined
        ? { field: 'list', message: 'must be given: without a list there is nothing to keep in sync' }
        : null,
  },
  tools: httpTools,
}

// Checks that the first page of a list and its items are as the settings say.

/** How many items are read one by one at most, since a person waits. */
const maxTried = 3

/** Throws the `HttpFailure` that names the setting. */
async function checkList(context: Context<HttpConfig>, list: ListSettings): Promise<void> {
  const { config } = context
  const page = await readPage(context, list, null, beginning(null))
  if (page === null) return
  const ids = page.items.map(item => idOf(list, item, page.url))
  nextPosition(config, list, beginning(null), { ...page, latest: null, since: null })
  const isThere = (_: unknown, index: number) => !isGone(list, page.items[index])
  const found = { ids: ids.filter(isThere), items: page.items.filter(isThere) }
  if (found.items.length === 0) return
  const fault =
    config.detail === undefined
      ? faultOf(config, found.items, found.items)
      : await faultOfDetails(context, config.detail.path, found)
  if (fault !== null) throw fault
  if (config.content.from === 'download') await checkDownload(context, found.ids)
}

type CheckedItems = { ids: string[]; items: unknown[] }

async function faultOfDetails(
  context: Context<HttpConfig>,
  path: string,
  { ids, items }: CheckedItems,
): Promise<HttpFailure | null> {
  const { config } = context
  // The title and the time of change are read from the list, too.
  const faultIn = (details: unknown[]) => faultOf(config, details, [...details, ...items])
  const details = await readSome(
    config,
    { field: 'detail.path', path, ids },
    {
      read: id => readItem(context, id, { item: null }),
      isEnough: some => faultIn(some) === null,
    },
  )
  return faultIn(details)
}

/** Reads what a few of the ids lead to. Throws if none of them leads to anything. */
async function readSome(
  config: HttpConfig,
  { field, path, ids }: { field: string; path: string; ids: string[] },
  { read, isEnough }: { read(id: string): Promise<unknown>; isEnough(some: unknown[]): boolean },
): Promise<unknown[]> {
  const some: unknown[] = []
  const asked: string[] = []
  let refusal: HttpFailure | null = null
  for (const id of ids.slice(0, maxTried)) {
    const address = addressOf(config, withId(path, id))
    asked.push(address.pathname)
    try {
      const value = await read(id)
      if (value !== null) some.push(value)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      if (error.kind !== 'forbidden' && error.kind !== 'missing') throw blaming(error, field, address)
      // One item may be hidden or gone by now, but not all of them.
      if (error.kind === 'forbidden') refusal = error
    }
    if (some.length > 0 && isEnough(some)) return some
  }
  if (some.length > 0) return some
  throw refusal ?? misfit(field, `There is nothing at ${asked.join(', ')}`)
}

/** The fault of a setting that fits none of the items. A setting that fits only some items is no fault. */
function faultOf(
  { content, fields }: HttpConfig,
  read: readonly unknown[],
  items: readonly unknown[],
): HttpFailure | null {
  const { field = '' } = content
  if (content.from === 'field' && !read.some(item => valueAt(item, field) !== undefined)) {
    return misfit('content.field', `No item has anything at ${field}`)
  }
  const isNothing = (value: unknown) => value === null || value === ''
  const isText = (item: unknown, pointer: string) => {
    const value = valueAt(item, pointer)
    return isNothing(value) || typeof value === 'string' || typeof value === 'number'
  }
  const isTime = (item: unknown, pointer: string) =>
    isNothing(valueAt(item, pointer)) || instantAt(item, pointer) !== null
  for (const [name, fits, what] of [
    ['title', isText, 'a text'],
    ['url', isText, 'an address'],
    ['created', isTime, 'a time'],
    ['updated', isTime, 'a time'],
  ] as const) {
    const pointer = fields[name]
    if (pointer === undefined || items.some(item => fits(item, pointer))) continue
    return misfit(`fields.${name}`, `No item has ${what} at ${pointer}`)
  }
  return null
}

async function checkDownload({ config, http }: Context<HttpConfig>, ids: string[]): Promise<void> {
  const { path = '' } = config.content
  await readSome(
    config,
    { field: 'content.path', path, ids },
    {
      isEnough: () => true,
      async read(id) {
        const headers = { accept: '*/*', ...config.headers }
        const response = await http.send(addressOf(config, withId(path, id)).href, { headers })
        await response.body?.cancel()
        return id
      },
    },
  )
}
