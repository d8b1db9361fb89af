import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'

const message = (subject: string, body: string): string =>
  `From sender@example.com Fri Jul  8 12:08:34 2011\nFrom: a@example.com\nSubject: ${subject}\n\n${body}\n\n`

test('each message of a mailbox stands under its subject', async () => {
  const { text, title, blocks } = await readDocument(
    message('First', 'Words.\n>From here on it is quoted.') +
      message('Second', 'From here on in 2011\nno new one.'),
    'archive',
  )
  assert.equal(title, 'archive')
  const headings = blocks
    .filter(({ kind }) => kind === 'heading')
    .map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(headings, ['First', 'Second'])
  assert.match(text, /Words\.\nFrom here on it is quoted\./)
  assert.match(text, /From here on in 2011\nno new one\.$/)
})

test('a mailbox of one message has its subject as the title', async () => {
  assert.equal((await readDocument(message('Only', 'Words.'), 'a.mbox')).title, 'Only')
})

test('messages are found wherever a mailbox is cut into pieces while it is read', async () => {
  const all = Array.from({ length: 3_000 }, (_, i) =>
    message(`Message ${i}`, `Body ${i} ${'x'.repeat(i % 97)}`),
  )
  const { blocks } = await readDocument(all.join(''), 'a.mbox')
  assert.equal(blocks.filter(({ kind }) => kind === 'heading').length, 3_000)
})

test('a message that cannot be read takes no other with it', async () => {
  const broken = message('Broken', 'x').replace('Subject', `X-Long: ${'y'.repeat(1_100_000)}\nSubject`)
  const { text } = await readDocument(
    message('One', 'first words') + broken + message('Two', 'last words'),
    'a.mbox',
  )
  assert.match(text, /first words[\s\S]*cannot be read[\s\S]*last words$/)
})
