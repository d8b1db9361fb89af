import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'

const textOf = async (xml: string | Buffer): Promise<string> => (await readDocument(xml, 'a.xml')).text

test('elements of data are lines of names and values, under what holds them', async () => {
  const xml = `<?xml version="1.0"?><orders xmlns="http://x"><order id="17"><customer>M&#252;ller &amp; Co</customer><item sku="3">Chair</item></order><order id="18"><note><![CDATA[<b>]]></note></order></orders>`
  assert.equal(
    await textOf(xml),
    'order id=17\n    customer: Müller & Co\n    item sku=3: Chair\n\n  order id=18\n    note: <b>',
  )
})

test('elements of a text are its paragraphs', async () => {
  const xml = '<?xml version="1.0"?><book><p>Some <b>bold</b> words.</p><p><i>Late</i> words.</p></book>'
  assert.equal(await textOf(xml), 'Some bold words.\n\nLate words.')
})

test('the encoding that a file declares counts', async () => {
  const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><b>\xe4</b></a>', 'latin1')
  assert.equal(await textOf(xml), 'b: ä')
})

test('no entity is expanded, and nothing outside is read', async () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY x SYSTEM "file:///etc/passwd">]><a><t>&c;</t><u>&x;</u><v>&unknown;</v></a>`
  assert.equal(await textOf(bomb), 't: &c;\n  u: &x;\n  v: &unknown;')
})

test('broken XML is kept as it stands there', async () => {
  for (const xml of ['<?xml version="1.0"?><a><b>cut', '<?xml version="1.0"?><a><b></a></b> words']) {
    assert.equal(await textOf(xml), xml)
  }
})

test('elements nested without end keep their text', async () => {
  const deep = `<?xml version="1.0"?>${'<a>x'.repeat(50_000)}the middle${'y</a>'.repeat(50_000)}`
  assert.match(await textOf(deep), /xxxthe middleyyy/)
})
