/** Citations: every marker leads to words that stand in the document exactly where the offsets say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Passage } from '../../../platform/tool.ts'
import { costRatio } from '../../../testing/costs/processor-time.ts'
import { citationsOf, type NumberedPassage } from './citations.ts'

const document = [
  '# Café 🦆 rules',
  '',
  'Ducks may enter.  They pay nothing.',
  'Geese pay two',
  'euros a day, and wait outside. Swans are "guests of honour" here.',
].join('\n')

/** A passage that begins in the middle of the document, behind characters of more than one code unit. */
function passageFrom(start: number): Passage {
  const points = [...document]
  return {
    chunkId: 'chk_1',
    documentId: 'doc_1',
    documentVersion: 3,
    title: 'Rules',
    text: points.slice(start).join(''),
    page: 2,
    startOffset: start,
    endOffset: points.length,
  }
}

const numbered: NumberedPassage[] = [{ number: 1, passage: passageFrom(2) }]

const standsThere = async (output: string) =>
  (await citationsOf(output, numbered)).map(({ quote, startOffset, endOffset }) => {
    assert.equal([...document].slice(startOffset, endOffset).join(''), quote)
    return quote
  })

test('a sentence that is quoted word for word is cited where it stands, line breaks and all', async () => {
  assert.deepEqual(await standsThere('"Geese pay two euros a day, and wait outside." [1]'), [
    'Geese pay two\neuros a day, and wait outside.',
  ])
})

test('words in quotation marks within a statement are the quote', async () => {
  assert.deepEqual(await standsThere('By the rules, swans are “guests of honour” in this house [1].'), [
    'guests of honour',
  ])
})

test('a statement in other words is led to the nearest sentence', async () => {
  assert.deepEqual(await standsThere('For geese the price is two euros for each day [1].'), [
    'Geese pay two\neuros a day, and wait outside.',
  ])
})

test('a marker of a passage that was never shown is passed over', async () => {
  assert.deepEqual(await citationsOf('Ducks may enter. [2] [0] [99]', numbered), [])
})

test('one marker may name several passages, and the same quote is cited once', async () => {
  const two = [...numbered, { number: 2, passage: { ...passageFrom(16), chunkId: 'chk_2' } }]
  const citations = await citationsOf('Ducks may enter. [1, 2][1]', two)
  assert.deepEqual(
    citations.map(({ marker, chunkId, quote }) => [marker, chunkId, quote]),
    [
      ['[1]', 'chk_1', 'Ducks may enter.'],
      ['[2]', 'chk_2', 'Ducks may enter.'],
    ],
  )
  assert.equal(citations[0]?.page, 2)
  assert.equal(citations[0]?.documentVersion, 3)
})

test('characters that mean something in a pattern are only characters', async () => {
  const passage = { ...passageFrom(0), text: 'Costs (net) are $5.00 [approx.] + tax.', startOffset: 0 }
  const [citation] = await citationsOf('"Costs (net) are $5.00 [approx.] + tax." [1]', [
    { number: 1, passage },
  ])
  assert.equal(citation?.quote, 'Costs (net) are $5.00 [approx.] + tax.')
})

test('a model that repeats a marker without end is not followed without end', async () => {
  const [long, endless] = [10_000, 100_000].map(count => 'Ducks are welcome. [1]'.repeat(count))
  assert.equal((await citationsOf(endless ?? '', numbered)).length, 1)
  const ratio = await costRatio(
    () => citationsOf(long ?? '', numbered),
    () => citationsOf(endless ?? '', numbered),
  )
  assert.ok(ratio < 4, `ten times as many cost ${ratio} times as much`)
})
