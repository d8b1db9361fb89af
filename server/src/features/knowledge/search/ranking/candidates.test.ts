import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Postings, placesPerBlock, postingsOfLists } from '../index/postings.ts'
import { impactLevels, impactOf } from '../index/relevance.ts'
import { countLevels, createImpactSums, createMatch } from './candidates.ts'

/** Numbers from 0 to 1, the same ones in each run. */
function createRandom(): () => number {
  let seed = 7
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}

/** Chunks of two collections, in several blocks. */
const numbers = [0, 5 * placesPerBlock, 2 ** 30].flatMap(first =>
  Array.from({ length: 1_500 }, (_, place) => first + place),
)

type Term = { levels: Map<number, 0 | 1 | 2 | 3>; postings: Postings }

function drawTerm(random: () => number): Term {
  const share = random() ** 2
  const levels = new Map<number, 0 | 1 | 2 | 3>()
  for (const number of numbers)
    if (random() < share) levels.set(number, impactLevels[Math.floor(4 * random())] ?? 0)
  const lists = impactLevels.map(level => numbers.filter(number => levels.get(number) === level))
  return { levels, postings: postingsOfLists(lists) }
}

test('the best candidates are those of all chunks with the greatest sums and raises, of equal ones the earlier', () => {
  const random = createRandom()
  for (let round = 0; round < 20; round++) {
    const words = Array.from({ length: 1 + (round % 7) }, () => ({
      // Few weights, so that many sums are equal.
      weight: 1 + Math.floor(3 * random()),
      found: Array.from({ length: 1 + Math.floor(2 * random()) }, () => drawTerm(random)),
    }))
    const asked = words.map(({ weight, found }) => ({ weight, terms: found.map((_, place) => `${place}`) }))
    const sums = createImpactSums(asked)
    for (const [place, word] of asked.entries())
      sums.add(
        word,
        (words[place]?.found ?? []).map(({ postings }) => postings),
      )
    // Over the border of two blocks.
    const [first = 0, last = 0] = [numbers[900], numbers[1_100]]
    sums.raise(first, last, round % 4)
    const isWanted = (number: number): boolean => round % 3 === 0 || number % (1 + round) === 0
    const scale = 2 ** 23 / words.reduce((sum, { weight }) => sum + weight * impactOf[3], 0)
    const ranked = numbers
      .map(number => {
        const parts = words.map(({ weight, found }) => {
          const levels = found.flatMap(({ levels: own }) => own.get(number) ?? [])
          const greatest = impactLevels.findLast(level => levels.includes(level))
          return greatest === undefined ? 0 : Math.round(scale * weight * impactOf[greatest])
        })
        const sum = parts.reduce((all, part) => all + part, 0)
        const isRaised = sum > 0 && number >= first && number <= last
        return { number, sum: isRaised ? sum + Math.round(scale * (round % 4)) : sum }
      })
      .filter(({ number, sum }) => sum > 0 && isWanted(number))
      .sort((a, b) => b.sum - a.sum || a.number - b.number)
      .map(({ number }) => number)
    for (const limit of [1, 300, 10_000])
      assert.deepEqual(sums.best(isWanted, limit), ranked.slice(0, limit), `round ${round}, ${limit}`)
  }
})

test('a chunk matches lists of terms if it has one of each', () => {
  const random = createRandom()
  const [one, two, three] = [drawTerm(random), drawTerm(random), drawTerm(random)]
  const isMatch = createMatch([[one.postings, two.postings], [three.postings]])
  assert.deepEqual(
    numbers.filter(isMatch),
    numbers.filter(number => (one.levels.has(number) || two.levels.has(number)) && three.levels.has(number)),
  )
  assert.deepEqual(numbers.filter(createMatch([[]])), [])
})

test('what a term has in the wanted chunks is counted by its levels', () => {
  const { levels, postings } = drawTerm(createRandom())
  const isWanted = (number: number): boolean => number % 2 === 0
  const wanted = [...levels].filter(([number]) => isWanted(number))
  assert.deepEqual(
    countLevels([postings], isWanted),
    impactLevels.map(level => wanted.filter(([, own]) => own === level).length),
  )
})
