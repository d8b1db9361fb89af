/** The extractive model is held to its figures, through the API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureExtractive } from '../../../testing/knowledge/measure-extractive.ts'
import { startTestApp } from '../../../testing/test-app.ts'

test('of thirty questions 80 % cite the right document, every quote is exact, and 8 of 10 others are declined', async () => {
  const app = await startTestApp()
  try {
    const [figures] = await measureExtractive(app, ['questions.json'])
    assert.ok(figures !== undefined)
    assert.equal(figures.answerable, 30)
    assert.ok(figures.rightDocument >= 24, figures.misses.join('\n'))
    assert.equal(figures.unanswerable, 10)
    assert.ok(figures.declined >= 8, figures.misses.join('\n'))
    assert.ok(figures.citations >= 24)
    assert.equal(figures.exactQuotes, figures.citations, figures.misses.join('\n'))
  } finally {
    await app.close()
  }
})
