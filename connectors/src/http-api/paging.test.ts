import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PeerReply } from '../../../server/src/testing/peers/loopback-peer.ts'
import { HttpFailure } from '../http.ts'
import { type ConnectedApi, configWith, connectApi, listWith, paging } from '../testing/http-api.ts'
import { listSource } from '../testing/run-source.ts'
import { httpApi } from './connector.ts'
import type { PagingSettings } from './settings.ts'

const blames = (field: string) => (error: unknown) =>
  error instanceof HttpFailure && error.kind === 'unexpected_reply' && error.field === field

type Query = { at: number; asked: URLSearchParams }

/** An API that answers what `reply` makes of the page, offset or cursor that it is asked for. */
async function open(
  t: TestContext,
  how: Partial<PagingSettings> & { kind: PagingSettings['kind'] },
  reply: (query: Query) => PeerReply,
): Promise<ConnectedApi> {
  const list = listWith({ path: '/things', items: '/data', paging: paging({ parameter: 'at', ...how }) })
  const api = await connectApi(t, configWith({ baseUrl: 'https://api.example.com', list }))
  api.apis.peer.interrupt = ({ query }) => reply({ at: Number(query.get('at') ?? 0), asked: query })
  return api
}

const things = (...ids: number[]) => ids.map(id => ({ id, text: `Thing ${id}` }))
const idsOf = async ({ context }: ConnectedApi): Promise<string[]> =>
  (await listSource(httpApi, context)).items.map(({ id }) => id)

test('a reply that says that there is more and does not lead there ends no listing as if it were whole', async t => {
  const cursor = { kind: 'cursor', pointer: '/meta/next_cur' } as const
  for (const more of [true, 'true', 1, 'https://api.example.com/things?at=2', 'c2', { href: '/things' }]) {
    const reply = { json: { data: things(1, 2), meta: { next_cursor: '2', has_more: more } } }
    const api = await open(t, { ...cursor, more: '/meta/has_more' }, () => reply)
    await assert.rejects(httpApi.check(api.context), blames('list.paging.pointer'), JSON.stringify(more))
    await assert.rejects(idsOf(api), blames('list.paging.pointer'), JSON.stringify(more))
  }
  for (const more of [false, 'false', 0, '', null]) {
    const reply = { json: { data: things(1, 2), meta: { next_cursor: '2', has_more: more } } }
    assert.deepEqual(await idsOf(await open(t, { ...cursor, more: '/meta/has_more' }, () => reply)), [
      '1',
      '2',
    ])
  }
  const counted = () => ({ json: { data: things(1, 2), total: 7 } })
  for (const [kind, blamed] of [
    ['cursor', 'list.paging.pointer'],
    ['link', 'list.paging.kind'],
    ['none', 'list.paging.kind'],
  ] as const) {
    const api = await open(t, { kind, pointer: '/next', total: '/total' }, counted)
    await assert.rejects(httpApi.check(api.context), blames(blamed), kind)
  }
})

test('a pointer that says nothing of more pages hides none of them', async t => {
  const wrong = await open(t, { kind: 'cursor', pointer: '/next', more: '/no/such' }, ({ at }) => ({
    json: { data: things(at + 1), next: at < 3 ? String(at + 1) : null },
  }))
  assert.deepEqual(await idsOf(wrong), ['1', '2', '3', '4'])
  const lastIsSilent = await open(t, { kind: 'page', first: 1, more: '/links/next' }, ({ at }) =>
    at > 2 ? { status: 500 } : { json: { data: things(at), links: at < 2 ? { next: '/things?at=2' } : {} } },
  )
  assert.deepEqual(await idsOf(lastIsSilent), ['1', '2'])
})

test('a page that is shorter than it was asked for is the last one only if nothing follows', async t => {
  const all = [1, 2, 3, 4, 5, 6, 7]
  const behind: PeerReply[] = [
    { json: { data: [] } },
    { status: 404 },
    { status: 400 },
    { json: { error: 'No such page' } },
    { json: { data: null } },
  ]
  for (const end of behind) {
    const inPages = await open(t, { kind: 'page', size: 3 }, ({ at }) => {
      const data = things(...all.slice((at - 1) * 2, at * 2))
      return data.length === 0 ? end : { json: { data } }
    })
    assert.deepEqual(await idsOf(inPages), all.map(String), JSON.stringify(end))
    const byOffset = await open(t, { kind: 'offset', size: 100, sizeParameter: 'n' }, ({ at }) => {
      const data = things(...all.slice(at, at + 4))
      return data.length === 0 ? end : { json: { data } }
    })
    assert.deepEqual(await idsOf(byOffset), all.map(String), JSON.stringify(end))
  }
  let asked = 0
  const same = await open(t, { kind: 'page', size: 3 }, () => ({
    json: { data: things(1, 2).map(thing => ({ ...thing, servedAt: asked++ })) },
  }))
  assert.deepEqual([...new Set(await idsOf(same))], ['1', '2'])
})

test('an error behind a short page is the end only where it is a refusal, and no more is known to be there', async t => {
  const first = { json: { data: things(1, 2), total: 7, more: true } }
  const from = (status: number, how: Partial<PagingSettings>) =>
    open(t, { kind: 'page', size: 3, ...how }, ({ at }) => (at === 1 ? first : { status }))
  await assert.rejects(idsOf(await from(500, {})), { kind: 'unavailable' })
  await assert.rejects(idsOf(await from(401, {})), { kind: 'not_authorized' })
  await assert.rejects(idsOf(await from(404, { total: '/total' })), { kind: 'missing', field: 'list.paging' })
  await assert.rejects(idsOf(await from(404, { more: '/more' })), { kind: 'missing', field: 'list.paging' })
  const repeated = await open(t, { kind: 'page', size: 3, total: '/total' }, () => first)
  await assert.rejects(idsOf(repeated), blames('list.paging'))
})

test('a number of items that is none is not believed', async t => {
  const listed = async (total: unknown) =>
    idsOf(
      await open(t, { kind: 'page', total: '/total' }, ({ at }) => ({
        json: { data: at > 2 ? [] : things(at * 2 - 1, at * 2), total },
      })),
    )
  for (const total of [null, -1, 'many', undefined, 4, '4']) {
    assert.deepEqual(await listed(total), ['1', '2', '3', '4'], String(total))
  }
  await assert.rejects(listed(1), blames('list.paging.total'))
})
