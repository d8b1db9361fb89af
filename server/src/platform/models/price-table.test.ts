/** The operator's file of windows and prices: read strictly, with a line for each fault. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePriceTable } from './price-table.ts'

const faultsOf = (value: unknown) => parsePriceTable(JSON.stringify(value)).faults

test('an entry says what it knows, and cached tokens cost as much as others unless it says so', () => {
  const { table, faults } = parsePriceTable(
    JSON.stringify({
      'openai/of-ours': { contextTokens: 4_000, inputUsdPerMillionTokens: 1, outputUsdPerMillionTokens: 2 },
      'anthropic/claude-x': { seesImages: true },
    }),
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(table.get('openai/of-ours'), {
    contextTokens: 4_000,
    price: { input: 1, cachedInput: 1, output: 2 },
  })
  assert.deepEqual(table.get('anthropic/claude-x'), { seesImages: true })
})

test('every fault has a line of its own, which names the model and the field', () => {
  assert.deepEqual(
    faultsOf({
      'gpt-5': {},
      'openai/a': 7,
      'openai/b': { contextTokens: 1.5, seesImages: 'yes' },
      'openai/c': { inputUsdPerMillionTokens: -1, outputUsdPerMillionTokens: '2' },
      'openai/d': { inputUsdPerMillionTokens: 1 },
      'openai/e': { contextToken: 1 },
    }),
    [
      '"gpt-5" is not the name of a model: openai/…, anthropic/… or google/…',
      '"openai/a" must be an object',
      '"openai/b" has a contextTokens that is not a whole number from 1 to 100000000',
      '"openai/b" has a seesImages that is neither true nor false',
      '"openai/c" has a inputUsdPerMillionTokens that is not a number from 0 to 1000000',
      '"openai/c" has a outputUsdPerMillionTokens that is not a number from 0 to 1000000',
      '"openai/d" has a price without outputUsdPerMillionTokens',
      '"openai/e" has the unknown field contextToken; did you mean contextTokens?',
    ],
  )
})

test('what is no table at all is one fault, in one line', () => {
  assert.deepEqual(faultsOf([]).length, 1)
  const [fault = ''] = parsePriceTable('{\n  "openai/a": \n}').faults
  assert.match(fault, /^is not valid JSON: /)
  assert.ok(!fault.includes('\n'))
})
