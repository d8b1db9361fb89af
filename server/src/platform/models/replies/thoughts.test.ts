/** Thoughts that a model writes into its text, whole and sign by sign, and texts that only speak of such tags. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThoughtSplitter } from './thoughts.ts'

/** The text and the thoughts of an answer that comes in pieces of a length. */
function split(answer: string, length: number, opensWithout = false): [text: string, thoughts: string] {
  const splitter = createThoughtSplitter(opensWithout)
  let [text, thoughts] = ['', '']
  const pieces = Array.from({ length: Math.ceil(answer.length / length) }, (_, at) =>
    splitter.take(answer.slice(at * length, (at + 1) * length)),
  )
  for (const piece of [...pieces.flat(), ...splitter.end()]) {
    if (piece.type === 'text') text += piece.text
    else if (piece.type === 'reasoning') thoughts += piece.text
    else if (piece.type === 'void') [text, thoughts] = ['', text + thoughts]
    else [text, thoughts] = [thoughts + text, '']
  }
  return [text, thoughts.trim()]
}

const names = ['think', 'thinking', 'thought', 'reasoning', 'scratchpad', 'seed:think', 'THINK']
const answers: [answer: string, text: string, thoughts: string][] = [
  ...names.flatMap((name): [string, string, string][] => [
    [`<${name}>Is a < b? [1]</${name}>\n\nYes.`, 'Yes.', 'Is a < b? [1]'],
    [`\n<${name}>\nOne.\n</${name}>\n<${name}>Two.</${name}>{"a": 1}`, '{"a": 1}', '\nOne.\nTwo.'.trim()],
    [`One.\nTwo.\n</${name}>\n\nYes.`, 'Yes.', 'One.\nTwo.'],
  ]),
  ['[THINK]Hm.[/THINK]Yes [1].', 'Yes [1].', 'Hm.'],
  ['◁think▷Hm.◁/think▷Yes.', 'Yes.', 'Hm.'],
  ['<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>', 'Yes.', 'Hm.'],
  ['<|begin_of_thought|>Hm.<|end_of_thought|>Yes.', 'Yes.', 'Hm.'],
  [
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>',
    'Yes.',
    'Hm.',
  ],
  ['Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.', 'Yes.', 'Hm.'],
  ['analysisThey greet.assistantfinalYes.', 'Yes.', 'They greet.'],
  ['First.\n<think>Hm.</think>\nThen.', 'First.\n\nThen.', 'Hm.'],
  ['<think>Hm. It never ends', '', 'Hm. It never ends'],
  ['<think></think>Yes.', 'Yes.', ''],
]
const texts = [
  'analysis of a text',
  'Use `<think>` and `</think>` for thoughts.',
  'The <think> tag ends with </think>.',
  '```\n<think>\nx\n</think>\n```\nSo.',
  'a < b, c > d, [1], [THE], <div>x</div>, <|x|> and <th',
  '<b>bold</b> words',
  'Open at a line:\n<think> is a tag',
]

test('thoughts in any tags are told from the text, whole and in pieces of any length', () => {
  for (const [answer, text, thoughts] of answers) {
    for (const length of [1_000, 7, 3, 1]) assert.deepEqual(split(answer, length), [text, thoughts], answer)
  }
})

test('a text that speaks of such tags, or has other ones, stays as it is', () => {
  for (const text of texts)
    for (const length of [1_000, 3, 1]) assert.deepEqual(split(text, length), [text, ''])
})

test('where earlier answers began with a thought without a tag, the next one is heard so, and is text if it was none', () => {
  for (const length of [1_000, 1]) {
    assert.deepEqual(split('Hm.</think>Yes.', length, true), ['Yes.', 'Hm.'])
    assert.deepEqual(split('Yes, at once.', length, true), ['Yes, at once.', ''])
  }
})

test('a long text costs no more for each piece than a short one', () => {
  const splitter = createThoughtSplitter()
  const begun = process.cpuUsage()
  for (let at = 0; at < 200_000; at++) splitter.take('<a>\n<think> ')
  const { user } = process.cpuUsage(begun)
  assert.ok(user < 5_000_000, `${user} µs`)
})
