/** What is served beside the ranking in which every chunk that has a word is scored. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Scope } from '../../../../platform/caller.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { createLibrary } from '../../../../testing/knowledge/indexed-documents.ts'
import { readReach } from './reach.ts'
import { mostScored, rankByText } from './text-ranking.ts'

const companies = ['Acme Forge', 'Blue Ridge', 'Elm Court', 'Fern Hill', 'Iron Bay', 'Jade Works']
const years = [2019, 2020, 2021, 2022]
const moreYears = [2023, 2024]
const items = ['net sales', 'goodwill', 'pension', 'lease', 'dividends', 'inventory', 'warranties']
const chunksOfReport = 100

/** Pages that differ little: most name the company or a year, and an item or two. */
function pageOf(company: string, year: number, page: number): string {
  const item = items[(page * page + company.length) % items.length]
  const other = items[(page + year) % items.length]
  const said = page % 3 === 0 ? `${company} reports ` : 'The company reports '
  const filler = Array.from({ length: (page * 7 + year) % 23 }, (_, word) => `word${(page + word) % 50}`)
  return `${said}${item} of ${page} in ${year - (page % 3)}, compared with ${other}. ${filler.join(' ')}`
}

let library: Awaited<ReturnType<typeof createFilledLibrary>>

before(async () => {
  library = await createFilledLibrary()
})
after(() => library.close())

test('99 of the first hundred are those where every chunk is scored, also for a caller who may read a part', async () => {
  const { scope, collections, ranked } = library
  const limited = { ...scope, collectionIds: collections.slice(0, 1) }
  for (const own of [scope, limited]) {
    for (const text of [
      'What were the net sales of Iron Bay in fiscal 2021?',
      'Acme Forge goodwill 2020',
      'FY2022 dividends Blue Ridge compared with pension',
      'pension and lease of the company',
      'company lease dividends',
      'compared',
      'reports',
      'inventory',
    ]) {
      const all = await ranked(own, text, everyChunk)
      const served = new Set((await ranked(own, text)).slice(0, 100).map(nameOf))
      const first = all.slice(0, 100).map(nameOf)
      assert.equal(first.length, 100)
      assert.ok(
        first.slice(0, 10).every(chunk => served.has(chunk)),
        text,
      )
      assert.ok(first.filter(chunk => served.has(chunk)).length >= 99, text)
    }
  }
})

test('of a word that is in every chunk not all are scored, and the first hundred score 5 % less at most', async () => {
  const { scope, ranked, addReports } = library
  await addReports(moreYears)
  for (const text of ['compared', 'reports', 'compared company']) {
    const all = await ranked(scope, text, everyChunk)
    const served = await ranked(scope, text)
    assert.ok(served.length >= mostScored && served.length < all.length, `${served.length} of ${all.length}`)
    for (const [place, { score }] of served.slice(0, 100).entries()) {
      assert.ok(score >= 0.95 * (all[place]?.score ?? 0), `${text}, at ${place}`)
    }
  }
})

const everyChunk = () => Number.MAX_SAFE_INTEGER
const nameOf = ({ chunkId, score }: { chunkId: string; score: number }) => `${chunkId} ${score}`

async function createFilledLibrary() {
  const { database, close } = await createTestDatabase()
  const indexed = createLibrary(database)
  const scope = await indexed.createScope()
  const collections = [await indexed.createCollection(scope), await indexed.createCollection(scope)]
  const addReports = async (of: readonly number[]): Promise<void> => {
    for (const [place, company] of companies.entries()) {
      for (const year of of) {
        await indexed.add(scope, {
          collectionId: collections[place % 2] ?? '',
          name: place % 3 === 0 ? `${company.replace(' ', '')}_${year}.pdf` : `${company} FY${year}.pdf`,
          chunks: Array.from({ length: chunksOfReport }, (_, page) => pageOf(company, year, page)),
        })
      }
    }
  }
  await addReports(years)
  /** All that was scored, best first. */
  const ranked = (own: Scope, text: string, limitOf?: () => number) =>
    database.snapshot(scope.workspaceId, async query => {
      const reach = await readReach(database.engine, own, query, {})
      assert.ok(reach)
      return (await rankByText(database.engine, query, reach, text, { limitOf }))?.ranked ?? []
    })
  return { scope, collections, ranked, addReports, close }
}
