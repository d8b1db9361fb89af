/** What holds for every prompt, tried on prompts that are put together at random. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { freeId, isOfNine } from './call-ids.ts'
import { fitPrompt } from './fit-prompt.ts'
import { modelsIn } from './model-list.ts'

type Message = LanguageModelV3Prompt[number]

/** The same numbers for the same seed. */
function numbersFrom(seed: number): (most: number) => number {
  let state = seed
  return most => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
}

const ids = ['call_1', 'Ab3dE6gH9', 'functions.search:0', 'x'.repeat(90), 'ü 1', 'toolu_01A', 'a.b']
const texts = ['', '  ', '\n', 'Words.']

function promptFrom(seed: number): LanguageModelV3Prompt {
  const number = numbersFrom(seed)
  const text = () => texts[number(texts.length)] ?? ''
  const id = () => ids[number(ids.length)] ?? ''
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Question' }] }]
  for (let count = number(6); count >= 0; count--) {
    const calls = [...new Set([id(), id()])].slice(0, number(3))
    messages.push({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: text() },
        { type: 'text', text: text() },
        ...calls.map(toolCallId => ({ type: 'tool-call' as const, toolCallId, toolName: 't', input: {} })),
      ],
    })
    const answered = [...calls.slice(number(2)), ...(number(4) === 0 ? ['stray'] : [])]
    if (answered.length > 0) {
      const output = { type: 'text' as const, value: 'Result' }
      const content = answered.map(toolCallId => ({
        type: 'tool-result' as const,
        toolCallId,
        toolName: 't',
        output,
      }))
      messages.push({ role: 'tool', content })
    }
    if (number(3) === 0) messages.push({ role: 'user', content: [{ type: 'text', text: text() }] })
  }
  return messages
}

test('every prompt ends with the user or a result, has nothing empty, and pairs each call with one result', () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    const fitted = fitPrompt(promptFrom(seed))
    assert.ok(['user', 'tool'].includes(fitted.at(-1)?.role ?? ''), String(seed))
    for (const [at, { role, content }] of fitted.entries()) {
      assert.ok(content.length > 0)
      if (typeof content === 'string') continue
      for (const part of content) if (part.type === 'text') assert.notEqual(part.text.trim(), '')
      const calls = content.flatMap(part => (part.type === 'tool-call' ? [part.toolCallId] : []))
      for (const id of calls) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.equal(new Set(calls).size, calls.length)
      const next = fitted[at + 1]
      const results =
        next?.role === 'tool' ? next.content.map(part => 'toolCallId' in part && part.toolCallId) : []
      if (role !== 'tool') assert.deepEqual(results, calls)
    }
    if (JSON.stringify(fitted).includes('Ab3dE6gH9')) {
      for (const { role, content } of fitted) {
        if (role === 'assistant')
          for (const part of content) if (part.type === 'tool-call') assert.ok(isOfNine(part.toolCallId))
      }
    }
  }
})

test('a fitting prompt stays as it is', () => {
  const prompt = fitPrompt(promptFrom(7))
  assert.deepEqual(fitPrompt(prompt), prompt)
})

test('an id that is taken gives way to another one of the same shape', () => {
  for (const [id, shape] of [
    ['Ab3dE6gH9', /^[A-Za-z0-9]{9}$/],
    ['call_abcDEF123456', /^call_[A-Za-z0-9]{12}$/],
    ['toolu_01A2b3C4', /^toolu_[A-Za-z0-9]{8}$/],
    ['chatcmpl-tool-0a1b2c3d4e5f', /^chatcmpl-[a-z]{4}-[a-f0-9]{12}$/],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ['call_1', /^call_\d+$/],
    ['functions.search:0', /^functions\.search:\d+$/],
    ['0', /^\d+$/],
    ['', /^_\d+$/],
  ] as const) {
    const taken = new Set<string>([id])
    for (let count = 0; count < 50; count++) {
      const next = freeId(id, taken)
      assert.ok(!taken.has(next))
      assert.match(next, shape)
      taken.add(next)
    }
  }
})

test('the models of a server are found in a list of any shape', () => {
  const entries = [{ id: 'a', object: 'model' }, { id: 'b' }]
  for (const body of [
    entries,
    { object: 'list', data: entries },
    { models: [{ name: 'a', model: 'a' }, { name: 'b' }] },
    { result: entries, success: true },
    { data: { models: ['a', 'b'] } },
    { models: { a: { size: 1 }, b: { size: 2 } } },
    { total: 2, items: [{ slug: 'a' }, { slug: 'b' }] },
    ['a', 'b', 'a'],
  ]) {
    assert.deepEqual(
      modelsIn(body).map(({ id }) => id),
      ['a', 'b'],
      JSON.stringify(body),
    )
  }
  for (const body of [null, 'a', 7, {}, { data: [] }, { error: { message: 'No' } }]) {
    assert.deepEqual(modelsIn(body), [], JSON.stringify(body))
  }
})
