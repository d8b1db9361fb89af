import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlookFileOf } from '../../../../testing/knowledge/outlook-file.ts'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'
import { ParseFailure } from '../failure.ts'
import { decompressRtf } from './outlook.ts'

test('an Outlook message is its subject, people, body and attachments', async () => {
  const { text, title } = await readDocument(
    outlookFileOf({
      subject: 'Angebot für Köln',
      body: 'Guten Tag,\r\n\r\nanbei das Angebot.',
      senderName: 'Jörg',
      senderEmail: 'joerg@example.com',
      recipients: [{ name: 'Anna', email: 'anna@example.com' }],
      attachments: [
        { name: 'preise.csv', content: Buffer.from('Stadt;Preis\nKöln;120\n') },
        { name: 'logo.png', content: Buffer.from('89504e470d0a1a0a', 'hex') },
      ],
    }),
    'a.bin',
  )
  assert.equal(title, 'Angebot für Köln')
  assert.equal(
    text,
    'Angebot für Köln\n\nFrom: Jörg <joerg@example.com>\nTo: Anna <anna@example.com>\n\nGuten Tag,\n\nanbei das Angebot.\n\nAttachment: preise.csv\n\nStadt | Preis\nKöln | 120\n\nAttachment: logo.png',
  )
})

/** The example of [MS-OXRTFCP] 3.1.1, and the text that it stands for. */
const packed = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
)

test('a body in compressed RTF is read', async () => {
  assert.equal(decompressRtf(packed).toString('latin1'), '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
  const { text } = await readDocument(outlookFileOf({ subject: 'Packed', compressedRtf: packed }), 'a.msg')
  assert.equal(text, 'Packed\n\nhello world')
})

test('compressed RTF that claims gigabytes is refused, cut off it is read as far as it goes', () => {
  const lying = Buffer.from(packed)
  lying.writeUInt32LE(4_000_000_000, 4)
  assert.throws(
    () => decompressRtf(lying),
    error => error instanceof ParseFailure && error.code === 'archive_bomb',
  )
  assert.match(decompressRtf(packed.subarray(0, 40)).toString('latin1'), /^\{\\rtf1\\ansi/)
})

test('an Outlook message that was cut off or scrambled fails as corrupt', async () => {
  const whole = outlookFileOf({ subject: 'Whole', body: 'words '.repeat(2_000) })
  await assert.rejects(
    readDocument(whole.subarray(0, 1_000), 'a.msg'),
    error => error instanceof ParseFailure,
  )
})
