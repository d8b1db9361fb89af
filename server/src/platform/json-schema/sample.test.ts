import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf } from './sample.ts'
import type { JsonSchema } from './strangers-schemas.ts'

test("a text's default or example is taken where it fits, and another is made where it does not", () => {
  // No text can be made from a pattern with a lookahead.
  const pattern = '^[a-z]{1,9}/(?!\\.)[a-z.]{1,9}$'
  const texts: [JsonSchema, string][] = [
    [{ pattern, examples: ['octocat/hello'] }, 'octocat/hello'],
    [{ pattern, default: 'nothing', examples: ['neither', 'ada/notes'] }, 'ada/notes'],
    [{ default: 'main' }, 'main'],
    [{ pattern: '^[0-9]{3}$', examples: ['12'] }, '000'],
    [{ minLength: 3, examples: ['ab'] }, 'any text'],
    [{ maxLength: 3, default: 'abcd' }, 'any'],
  ]
  for (const [schema, made] of texts) {
    assert.equal(sampleOf({ type: 'string', ...schema }, 'any text'), made, JSON.stringify(schema))
  }
})
