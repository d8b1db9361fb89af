/** What the extractive model promises: quotes that stand in its sources, and silence where they do not answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAnswer } from './answer.ts'
import { sentencesOf } from './sentences.ts'

const leave = [
  '# Leave',
  '',
  'Full-time staff have 27 days of annual leave. Dr. Brandt decides on exceptions, e.g. for long service.',
  '',
  '- Sick leave: call before 9:00.',
  '- Unused days expire on 31 March.',
  '',
  '| Region | Bonus days |',
  '|---|---|',
  '| North | 3 |',
  '| South | 1 |',
].join('\n')

const sources = [{ cite: '[1]', title: 'Handbook', text: leave }]

test('sentences end where they end, not behind an abbreviation', () => {
  assert.deepEqual(
    sentencesOf(leave).map(({ text }) => text),
    [
      'Full-time staff have 27 days of annual leave.',
      'Dr. Brandt decides on exceptions, e.g. for long service.',
      'Sick leave: call before 9:00.',
      'Unused days expire on 31 March.',
      '| Region | Bonus days |',
      '| North | 3 |',
      '| South | 1 |',
    ],
  )
})

test('every piece stands in the passage exactly as it is', () => {
  const wrapped = 'A first line\nthat goes on. A second\n\n  1. item one\n  2. item two'
  for (const { text } of sentencesOf(wrapped)) assert.ok(wrapped.includes(text), text)
})

test('a question is answered by the sentence that answers it, though it is asked in other words', async () => {
  const [best] = await findAnswer('How many days of vacation do full-time employees get?', sources)
  assert.equal(best?.text, 'Full-time staff have 27 days of annual leave.')
  assert.equal(best?.cite, '[1]')
})

test('a row of a table is understood by its head', async () => {
  const [best] = await findAnswer('How many bonus days are there in the South region?', sources)
  assert.equal(best?.text, '| South | 1 |')
})

test('a question that the sources do not answer gets no quote', async () => {
  assert.deepEqual(await findAnswer('What is the capital of Australia?', sources), [])
  assert.deepEqual(await findAnswer('Who won the annual football match?', sources), [])
})

test('nothing to search and nothing to search for are no answer, and no fault', async () => {
  assert.deepEqual(await findAnswer('How many days?', []), [])
  assert.deepEqual(await findAnswer('what is the of', sources), [])
  assert.deepEqual(await findAnswer('', sources), [])
})

test('words that name what every object has are words like any other', async () => {
  const text = 'The constructor decides. The __proto__ valueOf a thing is unknown.'
  const [best] = await findAnswer('What does the constructor decide?', [{ cite: '[1]', title: '', text }])
  assert.equal(best?.text, 'The constructor decides.')
})
