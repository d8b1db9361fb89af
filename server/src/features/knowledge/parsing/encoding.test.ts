import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { decodeText, detectEncoding } from './encoding.ts'

/** The bytes in hexadecimal, since node itself writes none of these encodings, and the text that they are. */
const samples: Record<string, [hex: string, text: string]> = {
  'windows-1252': [
    'c47267657220fc62657220843735209620383093204575726f2066fc72204772f6df656e',
    'Ärger über „75 – 80“ Euro für Größen',
  ],
  'windows-1251': ['c4eee3eee2eef020efeee4efe8f1e0ed20f1e5e3eee4edff', 'Договор подписан сегодня'],
  'koi8-r': ['e4cfc7cfd7cfd220d0cfc4d0c9d3c1ce20d3c5c7cfc4ced1', 'Договор подписан сегодня'],
  ibm866: ['84aea3aea2aee020afaea4afa8e1a0ad20e1a5a3aea4adef', 'Договор подписан сегодня'],
  'windows-1250': [
    '556d6f7761207a6f737461b36120706f64706973616e612e2050726f737aea206f2070b361746e6f9ce62e',
    'Umowa została podpisana. Proszę o płatność.',
  ],
  'windows-1253': ['c720f3fdece2e1f3e720f5f0efe3f1dcf6e7eae520f3deece5f1e1', 'Η σύμβαση υπογράφηκε σήμερα'],
  'windows-1255': ['e4e7e5e6e420f0e7faed20e4e9e5ed', 'החוזה נחתם היום'],
  'windows-1256': ['cae320cae6deedda20c7e1dadecf20c7e1ede6e3', 'تم توقيع العقد اليوم'],
  'windows-874': ['a1c3d8b3d2aad3c3d0e0a7d4b9a1e8cdb9cad4e9b9e0b4d7cdb9', 'กรุณาชำระเงินก่อนสิ้นเดือน'],
  shift_jis: ['8c5f96f182cd967b93fa92f78c8b82b382ea82dc82b582bd8142', '契約は本日締結されました。'],
  'euc-jp': ['b7c0ccf3a4cfcbdcc6fcc4f9b7eba4b5a4eca4dea4b7a4bfa1a3', '契約は本日締結されました。'],
  gb18030: ['bacfcdacbdf1ccecd2d1beadc7a9caf0a1a3', '合同今天已经签署。'],
  big5: ['a658acf9a4b5a4d1a477b867c3b1b870a143', '合約今天已經簽署。'],
  'euc-kr': ['b0e8bee0c0ba20bfc0b4c320c3bcb0e1b5c7befabdc0b4cfb4d92e', '계약은 오늘 체결되었습니다.'],
}

test('older encodings are told by what the text looks like under them', () => {
  for (const [label, [hex, text]] of Object.entries(samples)) {
    assert.equal(detectEncoding(Buffer.from(hex, 'hex')), label)
    assert.equal(decodeText(Buffer.from(hex, 'hex')), text)
  }
})

test('encodings that look alike are told apart by the letters of a language', () => {
  const texts: [label: string, text: string][] = [
    ['windows-1250', 'Árvíztűrő tükörfúrógép. A szerződés aláírása megtörtént.'],
    ['iso-8859-2', 'Příliš žluťoučký kůň úpěl ďábelské ódy.'],
    ['windows-1257', 'Lietuvos Respublikos įstatymas dėl žemės ūkio.'],
    ['windows-1254', 'Şirketin yıllık raporu bugün yayımlandı.'],
    ['windows-1251', 'ДОГОВОР ПОСТАВКИ ТОВАРА'],
    ['koi8-r', 'ДОГОВОР ПОСТАВКИ ТОВАРА'],
    ['koi8-u', 'Україна є незалежною державою, її столиця місто Київ.'],
    ['iso-8859-5', 'Договор подписан сегодня утром представителями сторон.'],
    ['x-mac-cyrillic', 'Договор подписан сегодня утром представителями сторон.'],
    ['macintosh', 'Le succès dépend de la qualité des données reçues; voilà où ça mène.'],
    ['cp850', 'Die Überprüfung der Größe ist für größere Mengen nötig.'],
    ['euc-jp', 'データベース サーバー'],
  ]
  for (const [label, text] of texts) {
    const bytes = iconv.encode(text, label === 'x-mac-cyrillic' ? 'maccyrillic' : label)
    assert.equal(decodeText(bytes), text, label)
  }
})

test('a few words are enough to tell an older encoding', () => {
  const texts: Record<string, string[]> = {
    'windows-1251': [
      'Привет',
      'Юлия',
      'СЧЁТ',
      'Заметка для Ивана',
      'Мой дядя самых честных правил',
      'Здравей, свят',
      'Счёт № 5',
    ],
    'windows-1257': [
      'Labas, pasauli ąžuolas',
      'Čia yra Lietuva',
      'Sąskaita faktūra',
      'Šiandien',
      'Kaina: 5 €, pristatymas šiandien',
      'Paldies, labrīt',
      'Mācīšanās',
      'Tere, maailm õhtu',
    ],
    'windows-1252': [
      'Größe',
      'déjà vu',
      'naïve',
      'België',
      '20 °C',
      '§ 5 Absatz 2',
      'Preis: 5 £',
      'don’t',
      'Smørrebrød',
    ],
    'windows-1250': ['Škoda', 'Żaba', 'Žluť', 'Česká republika', 'Árvíztűrő'],
    'windows-1254': ['Türkiye Cumhuriyeti İstanbul', 'ığdır çağrı'],
  }
  for (const [label, all] of Object.entries(texts))
    for (const text of all) assert.equal(decodeText(iconv.encode(text, label)), text, label)
})

test('EBCDIC is read with its line ends', () => {
  const bytes = Buffer.from('c1a340a38885408195840d2581a340a38885408285878995958995874bc4', 'hex')
  assert.equal(detectEncoding(bytes), 'ebcdic')
  assert.equal(decodeText(bytes), 'At the and\r\nat the beginning.D')
})

test('Japanese in seven bits is told by its escapes', () => {
  const bytes = Buffer.from('1b2442413438213a77251b2842', 'hex')
  assert.match(decodeText(bytes), /^全/)
  assert.equal(detectEncoding(bytes), 'iso-2022-jp')
})

test('a byte order mark decides, and is no part of the text', () => {
  assert.equal(decodeText(Buffer.from('\ufeffplain', 'utf8')), 'plain')
  assert.equal(decodeText(Buffer.from('\ufeffключ', 'utf16le')), 'ключ')
  assert.equal(decodeText(Buffer.from('\ufeffключ', 'utf16le').swap16()), 'ключ')
})

test('UTF-16 is found without a mark, in Latin and in other scripts', () => {
  for (const text of ['smörgåsbord on the table', 'Договор был подписан сегодня вечером.']) {
    assert.equal(detectEncoding(Buffer.from(text, 'utf16le')), 'utf-16le')
    assert.equal(detectEncoding(Buffer.from(text, 'utf16le').swap16()), 'utf-16be')
  }
})

test('a few zeros do not make a text UTF-16', () => {
  assert.equal(decodeText(Buffer.from('text with\0NUL\0bytes in it')), 'text with\0NUL\0bytes in it')
})

test('UTF-8 that is damaged in a place stays UTF-8', () => {
  const damaged = Buffer.concat([
    Buffer.from('Grüße aus Köln, schöne Wörter '),
    Buffer.from([0xff]),
    Buffer.from(' über'),
  ])
  assert.equal(decodeText(damaged), 'Grüße aus Köln, schöne Wörter \ufffd über')
})

test('what a page declares counts less than its bytes, and settles what they leave open', () => {
  assert.equal(detectEncoding(Buffer.from('Grüße'), 'iso-8859-1'), 'utf-8')
  assert.equal(detectEncoding(Buffer.from('plain'), 'shift_jis'), 'utf-8')
  const arabic = Buffer.from('e3d3cae4cf20dad1c8ed20e1e1c8cdcb', 'hex')
  assert.equal(detectEncoding(arabic, 'utf-8'), 'windows-1256')
})
