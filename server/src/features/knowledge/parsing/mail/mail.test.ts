import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'
import { pdfOf } from '../../../../testing/knowledge/sample-files.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'

const lines = (...parts: string[]): string => parts.join('\r\n')

const failsAs = (code: ParseFailureCode) => (error: unknown) =>
  error instanceof ParseFailure && error.code === code

test('a message is its subject, its headers and its text, whatever they are encoded in', async () => {
  const { text, title } = await readDocument(
    lines(
      'From: =?iso-8859-1?Q?J=F6rg_M=FCller?= <joerg@example.com>',
      'To: "Sales, EU" <sales@example.com>, b@example.com',
      'Subject: =?UTF-8?B?UXVhcnRhbHN6YWhsZW4gZsO8ciBLw7Zsbg==?=',
      'Date: Fri, 26 Nov 2010 19:57:53 +0000',
      'Received: from somewhere',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe aus =',
      'K=F6ln.',
      '',
      'Second paragraph.',
    ),
    'a.txt',
  )
  assert.equal(title, 'Quartalszahlen für Köln')
  assert.equal(
    text,
    'Quartalszahlen für Köln\n\nFrom: Jörg Müller <joerg@example.com>\nTo: Sales, EU <sales@example.com>, b@example.com\nDate: Fri, 26 Nov 2010 19:57:53 +0000\n\nGrüße aus Köln.\n\nSecond paragraph.',
  )
})

const multipart = (boundary: string, ...parts: string[]): string =>
  lines(
    'From: a@example.com',
    'MIME-Version: 1.0',
    'Subject: With parts',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts.map(part => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
  )

const attached = (type: string, name: string, content: string | Buffer): string =>
  lines(
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
  )

test('attachments are read under their names, by what they are; the others are named', async () => {
  const { text } = await readDocument(
    multipart(
      'xyz',
      'Content-Type: text/plain\r\n\r\nThe body.',
      attached('text/plain', 'notes.md', '# A heading\n\nSome *words*.'),
      attached('application/octet-stream', 'report.pdf', pdfOf('Words of the report')),
      attached('image/png', 'photo.png', Buffer.from('89504e470d0a1a0a', 'hex')),
      attached('application/pdf', 'broken.pdf', pdfOf('x').subarray(0, 60)),
    ),
    'a.eml',
  )
  assert.match(text, /The body\.\n\nAttachment: notes\.md\n\nA heading\n\nSome words\./)
  assert.match(text, /Attachment: report\.pdf\n\nWords of the report/)
  assert.match(text, /Attachment: photo\.png\nAttachment: broken\.pdf$/)
})

test('a message within a message is read with its own headers', async () => {
  const inner = lines('From: c@example.com', 'Subject: The inner one', 'Date: today', '', 'Inner words.')
  const { text, title } = await readDocument(
    multipart('xyz', `Content-Type: message/rfc822\r\n\r\n${inner}`),
    'a.eml',
  )
  assert.equal(title, 'With parts')
  assert.match(text, /The inner one\n\nFrom: c@example\.com\nDate: today\n\nInner words\./)
})

test('of two versions of a body the plain one is read, unless it says next to nothing', async () => {
  const message = (plain: string, html: string): string =>
    lines(
      'From: a@example.com',
      'Subject: Two versions',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      `--b\r\nContent-Type: text/plain\r\n\r\n${plain}`,
      `--b\r\nContent-Type: text/html\r\n\r\n${html}`,
      '--b--',
    )
  const both = await readDocument(
    message('All the words are here.', '<p>All the <b>words</b> are here.</p>'),
    'a.eml',
  )
  assert.match(both.text, /\n\nAll the words are here\.$/)
  const table = '<table><tr><th>City<th>Rate<tr><td>Köln<td>120</table><p>And what they mean to us.</p>'
  const empty = await readDocument(message('No HTML?', table), 'a.eml')
  assert.match(empty.text, /City \| Rate\nKöln \| 120\n\nAnd what they mean/)
})

test('a body in an encoding that it does not name is read by what it looks like', async () => {
  const head = 'From: a@example.com\r\nSubject: plain\r\nMIME-Version: 1.0\r\n\r\n'
  const russian = Buffer.from('c4eee3eee2eef020efeee4efe8f1e0ed20f1e5e3eee4edff', 'hex')
  const { text } = await readDocument(Buffer.concat([Buffer.from(head), russian]), 'a.eml')
  assert.match(text, /Договор подписан сегодня$/)
})

test('parts whose boundary never comes are not lost', async () => {
  const head = lines(
    'From: a@example.com',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="zzz"',
  )
  const { text } = await readDocument(`${head}\r\n\r\nno boundary ever, but words`, 'a.eml')
  assert.match(text, /no boundary ever, but words$/)
})

test('three hundred messages within one another are read to a depth, and do no harm', async () => {
  let message = 'Subject: level 0\r\nFrom: a@example.com\r\n\r\nThe innermost words.'
  for (let level = 1; level <= 300; level++) {
    message = `Subject: level ${level}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n${message}`
  }
  const { text } = await readDocument(message, 'a.eml')
  assert.match(text, /^level 300[\s\S]*level 295/)
})

test('a message of very many parts, or with parts nested without end, is refused', async () => {
  const part = '--b\r\n\r\nx\r\n'
  const many = `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(100_000)}`
  await assert.rejects(readDocument(many, 'a.eml'), failsAs('archive_bomb'))
  let nested = ''
  for (let depth = 0; depth < 250; depth++) {
    nested += `${depth === 0 ? 'From: a@example.com\r\nMIME-Version: 1.0\r\n' : `--b${depth - 1}\r\n`}Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n`
  }
  await assert.rejects(readDocument(nested, 'a.eml'), failsAs('corrupt'))
})

test('headers of many megabytes are refused, a body of one word of five megabytes is read', async () => {
  const head = 'From: a@example.com\r\nMIME-Version: 1.0\r\n'
  await assert.rejects(
    readDocument(`${head}X-Long: ${'x'.repeat(5_000_000)}\r\n\r\nwords`, 'a.eml'),
    failsAs('corrupt'),
  )
  const { text } = await readDocument(`${head}Subject: long\r\n\r\n${'w'.repeat(5_000_000)} marker`, 'a.eml')
  assert.match(text.slice(-20), /www marker$/)
})

test('a page that a browser saved as mail is the page', async () => {
  const { text, title } = await readDocument(
    lines(
      'From: <Saved by Blink>',
      'Snapshot-Content-Location: https://example.com/',
      'Subject: A saved page',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=b; type="text/html"',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<h1>Welcome</h1><p>Caf=C3=A9 prices</p><img src=3D"cid:logo">',
      '--b',
      'Content-Type: image/png',
      'Content-ID: <logo>',
      '',
      'xx',
      '--b--',
    ),
    'page.mhtml',
  )
  assert.equal(title, 'A saved page')
  assert.equal(text, 'A saved page\n\nWelcome\n\nCafé prices')
})
