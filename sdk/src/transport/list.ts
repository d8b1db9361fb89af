/** Lists: one page, or every item by `for await`. */
import type { CallOptions, PageMeta, Query, Transport } from './transport.ts'

export type Page<Item> = PageMeta & { items: Item[] }

export type List<Item> = AsyncIterable<Item> & {
  /** The page that the query asks for, the first one unless it says otherwise. */
  page(): Promise<Page<Item>>
}

const longestPage = 100

/**
 * A list in the order of its ids, or of its `sort`: it is walked from item to item, at constant cost and to any depth, and
 * stays right while records are added. `page` and `pageSize` matter to `page()` only.
 */
export function listOf<Item extends { id: string }>(
  transport: Transport,
  path: string,
  query: Query,
  options?: CallOptions,
): List<Item> {
  const load = (part: Query) => loadPage<Item>(transport, path, { ...query, ...part }, options)
  return {
    page: () => load({}),
    async *[Symbol.asyncIterator]() {
      const from = (after: unknown) => load({ page: undefined, pageSize: longestPage, after })
      let current = await from(query.after)
      while (true) {
        const { items } = current
        yield* items.slice(0, -1)
        const last = items.at(-1)
        if (last === undefined) return
        // Before the last one is handed out: who deletes what it walks leaves no row to go on after.
        const cursor =
          current.next === undefined ? (items.length < longestPage ? null : last.id) : current.next
        const next = cursor === null ? null : await from(cursor)
        yield last
        if (next === null) return
        current = next
      }
    },
  }
}

/** A list in an order of its own, such as a ranking: it is walked page by page. */
export function rankedListOf<Item>(
  transport: Transport,
  path: string,
  query: Query,
  options?: CallOptions,
): List<Item> {
  const load = (part: Query) => loadPage<Item>(transport, path, { ...query, ...part }, options)
  return {
    page: () => load({}),
    async *[Symbol.asyncIterator]() {
      for (let page = 1, seen = 0; ; page++) {
        const { items, total } = await load({ page })
        yield* items
        seen += items.length
        if (items.length === 0 || seen >= total) return
      }
    },
  }
}

async function loadPage<Item>(
  transport: Transport,
  path: string,
  query: Query,
  options: CallOptions | undefined,
): Promise<Page<Item>> {
  const { data, meta } = await transport.send({ method: 'GET', path, query }, options)
  if (!Array.isArray(data) || meta === null) throw new TypeError(`GET ${path} did not answer a list`)
  // The server filters its replies by the very schemas that the types are generated from.
  return { ...meta, items: data as Item[] }
}
