import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'

test('what is said runs on, with the time where a passage begins', async () => {
  const srt = `1\r\n00:01:14,440 --> 00:01:15,760\r\nThe first half\r\n\r\n2\r\n00:01:15,880 --> 00:01:19,520\r\n<i>of a sentence.</i>\r\n\r\n3\r\n00:02:00,000 --> 00:02:01,000\r\n{\\an8}After a pause.\r\n`
  const { text } = await readDocument(srt, 'film')
  assert.equal(text, '[00:01:14] The first half of a sentence.\n\n[00:02:00] After a pause.')
})

test('WebVTT names who speaks; styles and notes are not said', async () => {
  const vtt =
    'WEBVTT\n\nSTYLE\n::cue { color: red }\n\nNOTE not said\n\nintro\n00:05.000 --> 00:07.000 align:start\n<v Mary Jones>Good <c.loud>morning</c>.\n- <00:06.000>Hi.\n'
  const { text } = await readDocument(vtt, 'a.txt')
  assert.equal(text, '[00:00:05] Mary Jones: Good morning. - Hi.')
})

test('a long talk without a pause is parted at its sentences', async () => {
  const cue = (i: number): string =>
    `00:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}.000 --> 00:59:59.000\nSentence number ${i} ends here.\n\n`
  const { blocks } = await readDocument(
    `WEBVTT\n\n${Array.from({ length: 100 }, (_, i) => cue(i)).join('')}`,
    'a.vtt',
  )
  assert.ok(blocks.length >= 5 && blocks.every(({ start, end }) => end - start < 600))
})
