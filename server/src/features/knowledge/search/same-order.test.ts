/**
 * The guarantee that both databases rank alike: on each, the queries over a made-up library yield the order that
 * `same-order.json` holds. A ranking that was changed on purpose is written there by
 * `ATRIUM_WRITE_ORDER=1 node --test same-order.test.ts`.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary } from '../../../testing/knowledge/indexed-documents.ts'

/** The first results, and a digest of all: chunks in their order with their scores. */
type Order = { query: string; total: number; first: string; digest: string }

const file = join(import.meta.dirname, 'same-order.json')

test('a query yields the same results in the same order, with the same scores, on either database', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const draw = createWords()
  const collections = [await library.createCollection(scope), await library.createCollection(scope)]
  for (let i = 0; i < 360; i++) {
    await library.add(scope, {
      collectionId: collections[i % 2] ?? '',
      title: draw(3),
      name: `${draw(1)}${i}_${draw(1)}.txt`,
      chunks: Array.from({ length: 1 + (i % 4) }, () => ({
        text: draw(15 + (i % 50)),
        headings: draw(i % 3),
      })),
    })
  }
  const orders: Order[] = []
  for (const text of ownTexts) {
    await library.add(scope, { collectionId: collections[0] ?? '', title: 'Regeln', chunks: [text] })
  }
  const drawn = Array.from({ length: 40 }, (_, i) => draw(i < 35 ? 1 + (i % 6) : 120))
  for (const [i, query] of [...drawn, ...ownQueries].entries()) {
    const { total, results } = await library.find(
      scope,
      query,
      i % 3 === 0 ? undefined : [collections[i % 2] ?? ''],
    )
    const ranked = results.map(({ chunkId, score }) => `${chunkId} ${score}`)
    orders.push({
      query: query.slice(0, 60),
      total,
      first: results
        .slice(0, 5)
        .map(result => result.chunkId)
        .join(' '),
      digest: createHash('sha256').update(ranked.join('\n')).digest('base64url'),
    })
  }
  assert.ok(orders.some(({ total }) => total > 200))
  if (process.env.ATRIUM_WRITE_ORDER !== undefined)
    await writeFile(file, `${JSON.stringify(orders, null, 2)}\n`)
  assert.deepEqual(orders, JSON.parse(await readFile(file, 'utf8')))
})

/** Languages, compounds, phrases, exclusions, prefixes and slips. */
const ownTexts = [
  'Der Urlaubsantrag wird von der Leitung genehmigt und im Portal gestellt.',
  'Wer Urlaub nimmt, stellt vorher einen Antrag bei der Leitung.',
  'Les congés payés sont demandés par écrit au responsable.',
  'La información de los clientes se guarda durante diez años.',
  'Договоры с поставщиками хранятся в архиве пять лет.',
  'Alla anställda har rätt till tjugofem semesterdagar.',
  'Työsopimus tehdään kirjallisesti ennen työn alkua.',
  '東京都の支社は新宿駅から歩いて五分です。',
  '京都の支社は四条通りにあります。',
  'พนักงานมีสิทธิลาพักร้อนปีละสิบห้าวัน',
  'A survey of the state of the art in retrieval by the organization.',
  'The art of the state is kept in museums.',
]
const ownQueries = [
  'Urlaub Antrag',
  'Urlaubsanträge der Leitung',
  'conges payes',
  'informacion cliente',
  'договор с поставщиком',
  'semesterdag',
  'sopimukset',
  '東京都',
  '"京都の支社"',
  'ลาพักร้อน',
  '"state of the art"',
  'art of the state -museums',
  'organiz* retrieval',
  'de fi -"ba de"',
  '"de" mane',
  'retreival organisaton',
  'su* -de',
]

/** Draws words as texts have them: few that are everywhere, many that are rare. The same ones in each run. */
function createWords(): (count: number) => string {
  const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'po', 'ri', 'su', 'the', 'and', 'ing', 'tion']
  let seed = 42
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const word = (): string => {
    const rank = Math.floor(3_000 ** random())
    const digits = [...rank.toString(syllables.length)].map(digit => syllables[Number.parseInt(digit, 14)])
    return digits.join('')
  }
  return count => Array.from({ length: count }, word).join(' ')
}
