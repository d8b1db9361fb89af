/** What is served beside the ranking in which every chunk that has a word is scored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../../../platform/caller.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { createLibrary } from '../../../../testing/knowledge/indexed-documents.ts'
import { readReach } from './reach.ts'
import { rankByText } from './text-ranking.ts'

const companies = ['Acme Forge', 'Blue Ridge', 'Elm Court', 'Fern Hill', 'Iron Bay', 'Jade Works']
const years = [2019, 2020, 2021, 2022]
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

test('99 of the first hundred are those where every chunk is scored, also for a caller who may read a part', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const collections = [await library.createCollection(scope), await library.createCollection(scope)]
  for (const [place, company] of companies.entries()) {
    for (const year of years) {
      await library.add(scope, {
        collectionId: collections[place % 2] ?? '',
        name: place % 3 === 0 ? `${company.replace(' ', '')}_${year}.pdf` : `${company} FY${year}.pdf`,
        chunks: Array.from({ length: chunksOfReport }, (_, page) => pageOf(company, year, page)),
      })
    }
  }
  const ranked = (own: Scope, text: string, limitOf?: () => number) =>
    database.snapshot(scope.workspaceId, async query => {
      const reach = await readReach(database.engine, own, query, {})
      assert.ok(reach)
      const ranking = await rankByText(database.engine, query, reach, text, limitOf)
      return ranking?.ranked.slice(0, 100).map(({ chunkId, score }) => `${chunkId} ${score}`) ?? []
    })
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
      const all = await ranked(own, text, () => Number.MAX_SAFE_INTEGER)
      const served = new Set(await ranked(own, text))
      assert.equal(all.length, 100)
      assert.ok(
        all.slice(0, 10).every(chunk => served.has(chunk)),
        text,
      )
      assert.ok(all.filter(chunk => served.has(chunk)).length >= 99, text)
    }
  }
})
