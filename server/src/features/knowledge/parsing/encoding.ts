/**
 * From bytes to text: by a byte order mark, else as UTF-8 if it fits. Otherwise in the encoding that makes the text
 * look most like a language.
 */
import { isUtf8 } from 'node:buffer'

/** Decodes all of `bytes`. `declared` is the encoding that the file states: it counts if the bytes leave a choice. */
export function decodeText(bytes: Uint8Array, declared: string | null = null): string {
  return decodeAs(detectEncoding(bytes, declared), bytes)
}

/** `encoding` as `detectEncoding` returns it. */
const decodeAs = (encoding: string, bytes: Uint8Array): string =>
  isTable(encoding) ? decodeByTable(encoding, bytes) : new TextDecoder(encoding).decode(bytes)

/**
 * Returns a key of `tables`, or a label of `TextDecoder`. Looks at the first 64 KB, except to recognise plain UTF-8.
 */
export function detectEncoding(bytes: Uint8Array, declared: string | null = null): string {
  const marked = byteOrderMark(bytes)
  if (marked !== null) return marked
  const sample = sampleOf(bytes)
  const wide = utf16WithoutMark(sample)
  if (wide !== null) return wide
  if (looksLikeEbcdic(sample)) return 'ebcdic'
  if (hasJapaneseEscapes(sample)) return 'iso-2022-jp'
  if (isMostlyUtf8(bytes)) return 'utf-8'
  const known = declared === null ? null : knownLabel(declared)
  return likeliestEncoding(sample, known) ?? known ?? 'windows-1252'
}

/**
 * Whether the beginning of a file is text. Valid UTF-8 and ASCII prove themselves. Older encodings and UTF-16 accept
 * almost any bytes, so their texts must have few control characters, and neighbouring signs as in a language.
 */
export function looksLikeText(head: Uint8Array): boolean {
  // DOS ended its texts with this byte.
  const text = head.at(-1) === 0x1a ? head.subarray(0, -1) : head
  const wide = wideEncoding(text)
  if (wide !== null) return isWritten(new TextDecoder(wide).decode(text.subarray(0, text.length & ~1)))
  if (looksLikeEbcdic(text)) return isWritten(decodeByTable('ebcdic', text))
  // One loop, since every upload comes by here: a call for each byte takes five times as long.
  let [controls, high, spaces] = [0, 0, 0]
  for (const byte of text) {
    if (byte > 0x7f) high += 1
    else if (byte === 0x20 || byte === 0x0a) spaces += 1
    if (isControl(byte)) controls += 1
  }
  const few = text.length * (text.length < shortBytes ? 0.1 : 0.02)
  if (isMostlyUtf8(text) || high <= Math.max(4, text.length * 0.01)) return controls <= few
  // Logs may hold lines of several programs in several encodings.
  const hasSpaces = spaces > text.length * 0.02
  if (isMostlyAscii(text) && hasSpaces && controls <= text.length * 0.002) return true
  return controls <= text.length * 0.01 && (looksLikeLanguage(text) || looksLikeNames(text))
}

/** A short text of names, such as a small table, has few of the frequent signs by which a language is known. */
function looksLikeNames(text: Uint8Array): boolean {
  if (text.length >= shortBytes) return false
  const label = likeliestEncoding(text, null)
  const decoded = label === null ? null : decodeStrictly(label, text)
  if (decoded === null || !isWritten(decoded)) return false
  const strange = decoded.match(/\P{ASCII}/gu)?.length ?? 0
  const ideographs = decoded.match(/[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]/g)?.length ?? 0
  return ideographs > 3 && ideographs > strange * 0.9 && /[\n,;\t ]/.test(decoded)
}

/** Shorter texts may have more control characters, such as names separated by zeros. */
const shortBytes = 512

/** The encoding by its mark, or for UTF-16 also by its zeros; null for all others. */
export const markedEncoding = (head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null =>
  byteOrderMark(head) ?? utf16WithoutMark(head)

function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const marked = markedEncoding(head)
  return marked === 'utf-8' ? null : marked
}

/** Control characters, without those that lay out texts. */
const isControl = (code: number): boolean =>
  code === 0x7f || (code < 0x20 && (code < 0x08 || code > 0x0d) && code !== 0x1b)

export function byteOrderMark(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** UTF-16 without a mark shows by zeros at every other place. */
function utf16WithoutMark(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = Math.floor(sample.length / 2)
  if (pairs < 4) return null
  let zerosAtEven = 0
  let zerosAtOdd = 0
  for (let i = 0; i < pairs * 2; i += 2) {
    if (sample[i] === 0) zerosAtEven += 1
    if (sample[i + 1] === 0) zerosAtOdd += 1
  }
  if (zerosAtEven === 0 && zerosAtOdd === 0) return null
  // A text in another script still has spaces and line ends, whose high byte is zero. A mostly ASCII text with only a
  // few zeros is not UTF-16.
  const many = isMostlyAscii(sample) ? pairs * 0.4 : Math.max(2, pairs * 0.07)
  if (zerosAtOdd > many && zerosAtEven * 8 < zerosAtOdd) return 'utf-16le'
  if (zerosAtEven > many && zerosAtOdd * 8 < zerosAtEven) return 'utf-16be'
  return null
}

function isMostlyAscii(sample: Uint8Array): boolean {
  let printable = 0
  // By index: a callback or an iterator for each byte costs five times as much.
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i] ?? 0
    if (byte >= 0x20 && byte < 0x7f) printable += 1
  }
  return printable > sample.length * 0.7
}

const sampleBytes = 65_536

const sampleOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, sampleBytes)

/** All bytes of ISO-2022-JP are ASCII: only its escape sequences tell it from plain text. */
const hasJapaneseEscapes = (sample: Uint8Array): boolean => {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength)
  return japaneseEscapes.some(sequence => bytes.includes(sequence))
}

const japaneseEscapes = ['\u001b$@', '\u001b$B', '\u001b(J', '\u001b(I']

/** True for valid UTF-8, also if damaged in a few places: in no other encoding do so many sequences fit by chance. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true
  let sound = 0
  let broken = 0
  for (const character of new TextDecoder('utf-8').decode(sampleOf(bytes))) {
    if (character === '\ufffd') broken += 1
    else if (character > '\x7f') sound += 1
  }
  return sound > broken * 4
}

function knownLabel(declared: string): string | null {
  try {
    return new TextDecoder(declared).encoding
  } catch {
    return null
  }
}

// Finds the older encoding of a text: the one that makes the text look most like a language.

/**
 * Returns a key of `tables`, or a label of `TextDecoder`; null if the sample looks like text in no encoding. `known`
 * is the declared encoding.
 */
function likeliestEncoding(sample: Uint8Array, known: string | null): string | null {
  const ranked = candidates
    .map(candidate => ({ label: candidate.label, score: scoreOf(candidate, sample, known) }))
    .filter(({ score }) => score > worstScore)
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.label ?? null
}

/** Whether the sample looks like a language in any encoding; random bytes do not. One kilobyte is enough to tell. */
function looksLikeLanguage(sample: Uint8Array): boolean {
  const start = sample.findIndex(byte => byte > 0x7f)
  const scored = sample.subarray(Math.max(0, start), start + 1_024)
  return candidates.some(
    candidate =>
      scoreOf(candidate, scored, null) >= languageScore &&
      isWritten(decodeStrictly(candidate.label, scored) ?? ''),
  )
}

/**
 * Whether neighbouring signs fit as in written text: letters of one script in a word, spaces and stops between words.
 */
function isWritten(text: string): boolean {
  let strange = 0
  let pairs = 0
  let natural = 0
  let before = ''
  const different = new Set<string>()
  for (const sign of text) {
    different.add(sign)
    if (isControl(codeOf(sign)) || /[\x80-\x9f\ufffd\p{Cn}\p{Co}\p{Cs}]/u.test(sign)) strange += 1
    if (before !== '' && (before > '\x7f' || sign > '\x7f')) {
      pairs += 1
      if (goTogether(before, sign)) natural += 1
    }
    before = sign
  }
  const isMonotonous = different.size < 3 && text.length > 16
  return strange <= text.length * 0.02 && natural >= pairs * naturalShare && !isMonotonous
}

/** In random bytes a third of the pairs go together, in texts nine tenths. */
const naturalShare = 0.6

function goTogether(first: string, second: string): boolean {
  if (/\s/.test(first) || /\s/.test(second)) return true
  if (isEastAsian(first) || isEastAsian(second))
    return !isWord(first) || !isWord(second) || areOfOneScript(first, second)
  if (isWord(first) && isWord(second)) {
    const isBroken = /\p{Ll}/u.test(first) && /\p{Lu}/u.test(second)
    return areOfOneScript(first, second) && !isBroken
  }
  if (isWord(first) || isWord(second)) return stops.test(isWord(first) ? second : first)
  return /[\d.,;:!?()"'/<>-]/.test(first + second) && typography.test(first + second)
}

const isWord = (sign: string): boolean => /[\p{L}\p{M}]/u.test(sign)

const stops = /[.,;:!?()"'/<>«»“”„‘’–—…·\xad-]/

const codeOf = (sign: string): number => sign.codePointAt(0) ?? 0

/** From the radicals of Chinese to the syllables of Korean, with full-width signs and rarer characters. */
const isEastAsian = (sign: string): boolean =>
  codeOf(sign) >= 0x2e80 && !(codeOf(sign) >= 0xd800 && codeOf(sign) < 0xff00)

/** The Unicode blocks of one script lie close together. */
function areOfOneScript(first: string, second: string): boolean {
  if (isEastAsian(first) && isEastAsian(second)) return true
  if (latin.test(first) || latin.test(second))
    return latin.test(first) === latin.test(second) || /\p{M}/u.test(second)
  return Math.abs(codeOf(first) - codeOf(second)) < 0x180
}

const worstScore = -1
/**
 * Real texts score at least 0.48. One in twenty samples of 64 random bytes reaches 0.45, none of 1,000 reaches 0.35.
 */
const languageScore = 0.45

export type Candidate = {
  label: string
  /** The characters that its texts are made of. */
  script: RegExp | ReadonlySet<string>
  /** The languages that are written in this encoding. */
  languages: readonly Language[]
  /** A penalty for an encoding of another age or machine: it has to look better than the others. */
  malus?: number
}

/** The letters of a language that are not ASCII, by how they occur. */
type Language = {
  frequent: string
  /** Frequent letters too: `inside` not at the beginning of a word, `atEnd` only at its end. */
  inside?: string
  atEnd?: string
  rare?: string
  /** A language of few readers: a larger language that fits as well is preferred. */
  isSmall?: true
}

const latin = /\p{Script=Latin}/u
const cyrillic = /\p{Script=Cyrillic}/u
const arabic = /\p{Script=Arabic}/u
/** The first level of each character set, which covers nearly all of a modern text. */
const simplified = decodedPairs('gb18030', [0xb0, 0xd7], [0xa1, 0xfe])
const korean = decodedPairs('euc-kr', [0xb0, 0xc8], [0xa1, 0xfe])
const japanese = decodedPairs('euc-jp', [0xb0, 0xcf], [0xa1, 0xfe])
const traditional = decodedPairs('big5', [0xa4, 0xc6], [0x40, 0x7e])

const frequentKana = 'のにはをたがでてとしれさいるすまなかもこくっりうあらンスルーイト'

const western: readonly Language[] = [
  // German, Dutch, French, Spanish, Portuguese, Italian, the Nordic languages, Icelandic.
  { frequent: 'äöüß' },
  { frequent: 'é', inside: 'ëï', rare: 'èöü' },
  { frequent: 'éçê', inside: 'è', atEnd: 'àù', rare: 'âîôûëïœ' },
  { frequent: 'áéíóúñ', rare: 'ü' },
  { frequent: 'ãõçáéíóúâê', atEnd: 'à', rare: 'ô' },
  { frequent: '', atEnd: 'àèéìòù' },
  { frequent: 'åäöøæ', rare: 'é' },
  { frequent: 'áéíóúýþæö', inside: 'ð', isSmall: true },
]
const central: readonly Language[] = [
  // Polish, Czech, Slovak, Hungarian, Romanian, Croatian.
  { frequent: 'ąćęłńóśż', rare: 'ź' },
  { frequent: 'áčéěířšůýž', rare: 'ďňóťú' },
  { frequent: 'áčéíľšťúýž', rare: 'äďĺňóôŕ' },
  { frequent: 'áéíóöőü', rare: 'úű' },
  { frequent: 'ăşţ', inside: 'â', rare: 'î' },
  { frequent: 'čćšž', rare: 'đ' },
]
const baltic: readonly Language[] = [
  // Lithuanian, Latvian, Estonian.
  { frequent: 'ąčėįšųūž', rare: 'ę' },
  { frequent: 'āčēģīķļņšūž' },
  { frequent: 'äöõü', rare: 'šž' },
]
const russian = 'оеаинтсрвл'
const ukrainian = 'оаинтівесрї'
const greek = 'αοιετσνηυρς'

function languagesOf(...all: string[]): Language[] {
  return all.map(frequent => ({ frequent }))
}

/** High enough that modern typography counts for more than a letter of these encodings. */
const rareMalus = 0.4

/** The more common encoding comes first: of equal scores the first one wins. */
export const candidates: readonly Candidate[] = [
  { label: 'windows-1252', script: latin, languages: western },
  { label: 'windows-1251', script: cyrillic, languages: languagesOf(russian, ukrainian) },
  { label: 'koi8-r', script: cyrillic, languages: languagesOf(russian) },
  { label: 'ibm866', script: cyrillic, languages: languagesOf(russian) },
  { label: 'windows-1250', script: latin, languages: central },
  { label: 'iso-8859-2', script: latin, languages: central },
  { label: 'windows-1253', script: /\p{Script=Greek}/u, languages: languagesOf(greek) },
  { label: 'windows-1254', script: latin, languages: [{ frequent: 'ışöüçİ', inside: 'ğ' }] },
  { label: 'windows-1255', script: /\p{Script=Hebrew}/u, languages: languagesOf('יוהלארתבשמנםדע') },
  { label: 'windows-1256', script: arabic, languages: languagesOf('اليمونرتبة') },
  { label: 'iso-8859-6', script: arabic, languages: languagesOf('اليمونرتبة') },
  { label: 'windows-1257', script: latin, languages: baltic },
  { label: 'windows-874', script: /\p{Script=Thai}/u, languages: languagesOf('านรอกเงมยล') },
  { label: 'shift_jis', script: japanese, languages: languagesOf(frequentKana) },
  { label: 'euc-jp', script: japanese, languages: languagesOf(frequentKana) },
  { label: 'gb18030', script: simplified, languages: languagesOf('的一是不了在人有我他这个中大来上国和') },
  { label: 'big5', script: traditional, languages: languagesOf('的一是不了在人有我他這個中大來上國和') },
  { label: 'euc-kr', script: korean, languages: languagesOf('이다는의에가을고한하로를은지사도') },
  { label: 'koi8-u', script: cyrillic, languages: languagesOf(ukrainian) },
  { label: 'iso-8859-5', script: cyrillic, languages: languagesOf(russian), malus: 0.1 },
  { label: 'x-mac-cyrillic', script: cyrillic, languages: languagesOf(russian), malus: 0.05 },
  { label: 'macintosh', script: latin, languages: western, malus: rareMalus },
  { label: 'cp850', script: latin, languages: western, malus: rareMalus },
]

type Range = readonly [first: number, last: number]

const declaredBonus = 0.15
const smallMalus = 0.05
const typography = /[“”‘’‚„–—…«»‹›€£¢¥§©®™°·•¿¡№½¼¾²³、。，！？：；（）「」『』《》【】・〜％]/u

/** Quotes stand at the ends of words. */
const quotes = /[“”„«»‹›]/

/**
 * How much the sample looks like a language in this encoding. Near 1 if all characters beyond ASCII are frequent
 * letters. Below 0 for symbols, control characters and capitals in the middle of words.
 */
function scoreOf(candidate: Candidate, sample: Uint8Array, known: string | null): number {
  const text = decodeStrictly(candidate.label, sample)
  if (text === null) return Number.NEGATIVE_INFINITY
  return scoreOfText(text, candidate) + (candidate.label === known ? declaredBonus : 0)
}

/** The same for a text that was decoded already. */
export const scoreOfText = (text: string, { languages, script, malus = 0 }: Candidate): number =>
  Math.max(...languages.map(language => likeness(text, lettersOf(language), script))) - malus

type Letters = {
  frequent: ReadonlySet<string>
  inside: ReadonlySet<string>
  atEnd: ReadonlySet<string>
  rare: ReadonlySet<string>
  malus: number
}

const lettersOf = ({ frequent, inside = '', atEnd = '', rare = '', isSmall }: Language): Letters => ({
  frequent: new Set(frequent),
  inside: new Set(inside),
  atEnd: new Set(atEnd),
  rare: new Set(rare),
  malus: isSmall === true ? smallMalus : 0,
})

function likeness(text: string, letters: Letters, script: Candidate['script']): number {
  let sum = 0
  let count = 0
  let before = ''
  let character = ''
  for (const after of text) {
    if (character > '\x7f') {
      sum += weightOf(character, before, after, letters, script)
      count += 1
    }
    before = character
    character = after
  }
  if (character > '\x7f') {
    sum += weightOf(character, before, '', letters, script)
    count += 1
  }
  return count === 0 ? Number.NEGATIVE_INFINITY : sum / count - letters.malus
}

function weightOf(
  character: string,
  before: string,
  after: string,
  letters: Letters,
  script: Candidate['script'],
): number {
  if (/[\x80-\x9f\ufffd\p{Co}\p{Cn}]/u.test(character)) return -2
  const capitalInsideWord = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)
  const markWithoutLetter = /\p{M}/u.test(character) && !/[\p{L}\p{M}]/u.test(before)
  const letterBehindFinalForm = /[ςךםןףץ]/.test(before) && /\p{L}/u.test(character)
  if (capitalInsideWord || markWithoutLetter || letterBehindFinalForm) return -1
  const isAlphabet = script instanceof RegExp
  if (isAlphabet && script !== latin && script.test(character) && /[A-Za-z]/.test(before + after)) return -0.5
  if (isOddNeighbour(before, script)) return 0.2
  const weight = letterWeight(character, before, after, letters, script)
  const isAlone = isAlphabet && !/[\p{L}\p{M}]/u.test(before + after) && /\p{L}/u.test(character)
  return isAlone ? Math.min(weight, loneWeight) : weight
}

/** Less than the weight of typography: a sign between numbers is hardly ever a letter. */
const loneWeight = 0.6

function letterWeight(
  character: string,
  before: string,
  after: string,
  { frequent, inside, atEnd, rare }: Letters,
  script: Candidate['script'],
): number {
  if (frequent.has(character)) return 1
  const small = character.toLowerCase()
  // Text in capitals is rarer than text that a wrong encoding makes look so.
  const full = small === character ? 1 : 0.85
  if (frequent.has(small)) return full
  if (inside.has(small)) return isLetter(before) ? full : 0.5
  if (atEnd.has(small)) return isLetter(after) ? 0.5 : full
  if (rare.has(small)) return 0.6
  // Digraphs of Yiddish, which modern keyboards do not have.
  if (/[\u05f0-\u05f2]/.test(character)) return -0.5
  if (script instanceof RegExp) {
    // Each language has few accented letters, and each alphabet many letters that are not frequent.
    if (script.test(character)) return script === latin ? 0.3 : 0.5
  } else if (script.has(character)) return /[a-z]/.test(before + after) ? 0.5 : 0.7
  if (typography.test(character))
    return quotes.test(character) && isLetter(before) && isLetter(after) ? -0.5 : 0.7
  if (script === japanese && kana.test(character)) return 0.7
  if (/\p{Script=Han}/u.test(character)) return 0.2
  return /\p{L}|\p{M}/u.test(character) ? -0.5 : -0.7
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character)

/** Without half-width kana, which bytes of any alphabet look like. */
const kana = /[\u3040-\u30ff]/

/** In Latin writing accented letters stand among plain ones; in the other alphabets words are not mixed with ASCII. */
function isOddNeighbour(before: string, script: Candidate['script']): boolean {
  if (script === latin) return before > '\x7f' && /\p{L}/u.test(before)
  return script instanceof RegExp && /[@[\\\]^_`{|}~]/.test(before)
}

function decodedPairs(label: string, [firstLead, lastLead]: Range, [firstTrail, lastTrail]: Range) {
  const bytes: number[] = []
  for (let lead = firstLead; lead <= lastLead; lead++) {
    for (let trail = firstTrail; trail <= lastTrail; trail++) bytes.push(lead, trail)
  }
  return new Set(new TextDecoder(label).decode(Uint8Array.from(bytes)))
}

/** Null if a byte sequence does not exist in the encoding. A sequence that the sample's end cuts off is allowed. */
export function decodeStrictly(label: string, sample: Uint8Array): string | null {
  if (isTable(label)) return decodeByTable(label, sample)
  try {
    return new TextDecoder(label, { fatal: true }).decode(sample, { stream: true })
  } catch {
    return null
  }
}

// Tables for single-byte encodings that `TextDecoder` does not read. No library reads EBCDIC.

/** True if the bytes look like a mainframe's text: its space is ASCII `@`, and it has few control characters. */
function looksLikeEbcdic(sample: Uint8Array): boolean {
  let spaces = 0
  let asciiSpaces = 0
  let strangers = 0
  let letters = 0
  // By index: an iterator for each byte costs five times as much.
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i] ?? 0
    if (byte === 0x40) spaces += 1
    else if (byte === 0x20 || byte === 0x0a) asciiSpaces += 1
    else if (byte < 0x40 && ebcdicControls[byte] === ' ') strangers += 1
    else if (byte > 0x80) letters += 1
  }
  const { length } = sample
  const hasWords = spaces > length / 20 && letters > length / 3
  return hasWords && asciiSpaces < length / 100 && strangers < length / 50
}

function isTable(label: string): label is TableLabel {
  return Object.hasOwn(tables, label)
}

function decodeByTable(label: TableLabel, bytes: Uint8Array): string {
  const characters = tables[label]
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += bytesAtOnce) {
    const piece = bytes.subarray(start, start + bytesAtOnce)
    parts.push(Array.from(piece, byte => characters[byte] ?? ' ').join(''))
  }
  return parts.join('')
}

const bytesAtOnce = 65_536

/** Bytes below 0x40 are control characters. Only the tab and the three kinds of line ends are kept. */
const ebcdicControls = Array.from({ length: 0x40 }, (_, byte) => {
  if (byte === 0x05) return '\t'
  if (byte === 0x0d) return '\r'
  return byte === 0x15 || byte === 0x25 ? '\n' : ' '
})

const ascii = Array.from({ length: 0x80 }, (_, byte) => String.fromCharCode(byte))

type TableLabel = keyof typeof tables

const tables = {
  /** Code page 500 ("international"). Other EBCDIC pages differ in brackets and a few more signs, not in letters. */
  ebcdic: [
    ...ebcdicControls,
    ...' \xa0âäàáãåçñ[.<(+!&éêëèíîïìß]$*);^-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@\'="',
    ...'Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®¢£¥·©§¶¼½¾¬|¯¨´×',
    ...'{ABCDEFGHI\xadôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ ',
  ],
  /** DOS in Western Europe. */
  cp850: [
    ...ascii,
    ...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐',
    ...'└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  ],
}
