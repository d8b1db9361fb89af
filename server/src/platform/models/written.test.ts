/** What the built-in models promise of their streams: words as they come, the whole in the end, and nothing behind the limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { createWritingModel, type Written } from './built-in.ts'

const options: LanguageModelV3CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go on' }] }],
}

const call: Written = { type: 'tool-call', toolCallId: 'call_1', toolName: 'clock', input: '{}' }

async function streamed(pieces: Iterable<Written> | AsyncIterable<Written>, more = {}) {
  const { stream } = await createWritingModel('test', () => pieces).doStream({ ...options, ...more })
  return await Array.fromAsync(stream as ReadableStream<LanguageModelV3StreamPart>)
}

const deltasOf = (parts: LanguageModelV3StreamPart[], type: 'text-delta' | 'reasoning-delta') =>
  parts.flatMap(part => (part.type === type ? [part.delta] : []))

test('a text comes in words that together are the text, white space and all', async () => {
  const text = ' "Ducks  may\nenter 🦆 freely." [1]\n\n'
  const deltas = deltasOf(await streamed([{ type: 'text', text }]), 'text-delta')
  assert.deepEqual(deltas, [' "Ducks', '  may', '\nenter', ' 🦆', ' freely."', ' [1]', '\n\n'])
})

test('a word is there before the next one is written', async () => {
  let wasAsked = false
  async function* pieces(): AsyncGenerator<Written> {
    yield { type: 'text', text: 'first' }
    wasAsked = true
    await new Promise(() => undefined)
  }
  const { stream } = await createWritingModel('test', pieces).doStream(options)
  for await (const part of stream) if (part.type === 'text-delta') break
  assert.equal(wasAsked, false)
})

test('texts of one kind are one, others are apart, and what is generated at once is the same', async () => {
  const pieces: Written[] = [
    { type: 'reasoning', text: 'I think ' },
    { type: 'reasoning', text: 'twice.' },
    { type: 'text', text: 'So.' },
    call,
    { type: 'text', text: 'More.' },
  ]
  const types = (await streamed(pieces)).map(part => ('id' in part ? `${part.type} ${part.id}` : part.type))
  assert.deepEqual(types, [
    'stream-start',
    ...[
      'reasoning-start 0',
      'reasoning-delta 0',
      'reasoning-delta 0',
      'reasoning-delta 0',
      'reasoning-delta 0',
    ],
    ...['reasoning-end 0', 'text-start 1', 'text-delta 1', 'text-end 1', 'tool-call'],
    ...['text-start 3', 'text-delta 3', 'text-end 3', 'finish'],
  ])
  const { content, finishReason, usage } = await createWritingModel('test', () => pieces).doGenerate(options)
  assert.deepEqual(content, [
    { type: 'reasoning', text: 'I think twice.' },
    { type: 'text', text: 'So.' },
    call,
    { type: 'text', text: 'More.' },
  ])
  assert.equal(finishReason.unified, 'tool-calls')
  const finish = (await streamed(pieces)).at(-1)
  assert.ok(finish?.type === 'finish')
  assert.deepEqual(finish.usage, usage)
  const { total = 0, text = 0, reasoning = 0 } = usage.outputTokens
  assert.ok(reasoning > 0 && text > 0 && total === text + reasoning)
})

test('an answer goes no further than it may, and says so', async () => {
  const parts = await streamed([{ type: 'text', text: 'one two three four' }, call], { maxOutputTokens: 2 })
  assert.deepEqual(deltasOf(parts, 'text-delta'), ['one', ' two'])
  const finish = parts.at(-1)
  assert.ok(finish?.type === 'finish' && finish.finishReason.unified === 'length')
  assert.ok(!parts.includes(call), 'nothing comes behind the cut')
})
