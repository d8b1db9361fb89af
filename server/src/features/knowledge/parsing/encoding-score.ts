/** Which of the older encodings a text is in: the one under which it looks most like a language. */
import { decodeByTable, isTable } from './encoding-tables.ts'

/** A table of ours, or a label that `TextDecoder` knows; null where the sample looks like a text in none. `known` is what it is said to be. */
export function likeliestEncoding(sample: Uint8Array, known: string | null): string | null {
  const ranked = candidates
    .map(candidate => ({ label: candidate.label, score: scoreOf(candidate, sample, known) }))
    .filter(({ score }) => score > worstScore)
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.label ?? null
}

/** Whether the sample looks like a language under any of the encodings, which bytes of chance are not. A kilobyte is enough to tell, and to score. */
export function looksLikeLanguage(sample: Uint8Array): boolean {
  const start = sample.findIndex(byte => byte > 0x7f)
  const scored = sample.subarray(Math.max(0, start), start + 1_024)
  return candidates.some(candidate => scoreOf(candidate, scored, null) >= languageScore)
}

const worstScore = -1
/** Real texts score 0.48 and more; of 64 bytes of chance one in twenty reaches 0.45, of 1,000 none reaches 0.35. */
const languageScore = 0.45

type Candidate = {
  label: string
  /** What its texts are made of. */
  script: RegExp | ReadonlySet<string>
  /** Of each language that is written so: its most frequent letters, of those that are not ASCII. */
  languages: readonly string[]
  /** Of another age or machine: it has to look better than the others. */
  isRare?: true
}

const latin = /\p{Script=Latin}/u
const cyrillic = /\p{Script=Cyrillic}/u
const arabic = /\p{Script=Arabic}/u
/** The first level of each character set: what nearly all of a modern text is written with. */
const simplified = decodedPairs('gb18030', [0xb0, 0xd7], [0xa1, 0xfe])
const korean = decodedPairs('euc-kr', [0xb0, 0xc8], [0xa1, 0xfe])
const japanese = decodedPairs('euc-jp', [0xb0, 0xcf], [0xa1, 0xfe])
const traditional = decodedPairs('big5', [0xa4, 0xc6], [0x40, 0x7e])

const frequentKana = 'のにはをたがでてとしれさいるすまなかもこくっりうあらンスルーイト'

const german = 'äöüß'
const french = 'éèàçêâîôûùëïœ'
const spanish = 'áéíóúñü'
const portuguese = 'ãõçáéíóúâêôà'
const italian = 'àèéìòù'
const nordic = 'åäöøæé'
const icelandic = 'áéíóúýþæöð'
const western = [german, french, spanish, portuguese, italian, nordic, icelandic]
const central = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíľĺňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž']
const russian = 'оеаинтсрвл'
const ukrainian = 'оаинтівесрї'
const greek = 'αοιετσνηυρς'

/** The commoner one first: equal scores are settled by this order. */
const candidates: readonly Candidate[] = [
  { label: 'windows-1252', script: latin, languages: western },
  { label: 'windows-1251', script: cyrillic, languages: [russian, ukrainian] },
  { label: 'koi8-r', script: cyrillic, languages: [russian] },
  { label: 'ibm866', script: cyrillic, languages: [russian] },
  { label: 'windows-1250', script: latin, languages: central },
  { label: 'iso-8859-2', script: latin, languages: central },
  { label: 'windows-1253', script: /\p{Script=Greek}/u, languages: [greek] },
  { label: 'windows-1254', script: latin, languages: ['ığşöüç'] },
  { label: 'windows-1255', script: /\p{Script=Hebrew}/u, languages: ['יוהלארתבשמנםדע'] },
  { label: 'windows-1256', script: arabic, languages: ['اليمونرتبة'] },
  { label: 'iso-8859-6', script: arabic, languages: ['اليمونرتبة'] },
  { label: 'windows-1257', script: latin, languages: ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž'] },
  { label: 'windows-874', script: /\p{Script=Thai}/u, languages: ['านรอกเงมยล'] },
  { label: 'shift_jis', script: japanese, languages: [frequentKana] },
  { label: 'euc-jp', script: japanese, languages: [frequentKana] },
  { label: 'gb18030', script: simplified, languages: ['的一是不了在人有我他这个中大来上国和'] },
  { label: 'big5', script: traditional, languages: ['的一是不了在人有我他這個中大來上國和'] },
  { label: 'euc-kr', script: korean, languages: ['이다는의에가을고한하로를은지사도'] },
  { label: 'koi8-u', script: cyrillic, languages: [ukrainian] },
  { label: 'iso-8859-5', script: cyrillic, languages: [russian], isRare: true },
  { label: 'x-mac-cyrillic', script: cyrillic, languages: [russian] },
  { label: 'macintosh', script: latin, languages: western, isRare: true },
  { label: 'cp850', script: latin, languages: western, isRare: true },
]

type Range = readonly [first: number, last: number]

const declaredBonus = 0.15
const rareMalus = 0.1
const typography = /[“”‘’‚„–—…«»‹›€£§©®™°·•¿¡№、。，！？：；（）「」『』《》【】・〜％]/u

/**
 * How much a text in this encoding looks like a language: near 1 if all that is not ASCII are its frequent letters,
 * below 0 if it is symbols, control characters and capitals in the middle of words.
 */
function scoreOf(
  { label, languages, script, isRare }: Candidate,
  sample: Uint8Array,
  known: string | null,
): number {
  const text = decodeStrictly(label, sample)
  if (text === null) return Number.NEGATIVE_INFINITY
  const scores = languages.map(frequent => likeness(text, new Set(frequent), script))
  const bonus = (label === known ? declaredBonus : 0) - (isRare === true ? rareMalus : 0)
  return Math.max(...scores) + bonus
}

function likeness(text: string, frequent: ReadonlySet<string>, script: Candidate['script']): number {
  let sum = 0
  let count = 0
  let before = ''
  for (const character of text) {
    if (character > '\x7f') {
      sum += weightOf(character, before, frequent, script)
      count += 1
    }
    before = character
  }
  return count === 0 ? Number.NEGATIVE_INFINITY : sum / count
}

function weightOf(
  character: string,
  before: string,
  frequent: ReadonlySet<string>,
  script: Candidate['script'],
): number {
  if (/[\x80-\x9f\ufffd\p{Co}\p{Cn}]/u.test(character)) return -2
  const capitalInsideWord = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)
  const markWithoutLetter = /\p{M}/u.test(character) && !/[\p{L}\p{M}]/u.test(before)
  const letterBehindFinalForm = /[ςךםןףץ]/.test(before) && /\p{L}/u.test(character)
  if (capitalInsideWord || markWithoutLetter || letterBehindFinalForm) return -1
  if (isOddNeighbour(before, script)) return 0.2
  if (frequent.has(character)) return 1
  // Text in capitals is rarer than text that only looks so.
  if (frequent.has(character.toLowerCase())) return 0.85
  if (script instanceof RegExp) {
    // Each language has few accented letters, and each alphabet many letters that are not frequent.
    if (script.test(character)) return script === latin ? 0.3 : 0.5
  } else if (script.has(character)) return 0.7
  if (typography.test(character)) return 0.7
  if (script === japanese && kana.test(character)) return 0.7
  if (/\p{Script=Han}/u.test(character)) return 0.2
  return /\p{L}|\p{M}/u.test(character) ? -0.5 : -0.7
}

/** Not those of half width, which bytes of any alphabet look like. */
const kana = /[\u3040-\u30ff]/

/** In Latin writing accented letters stand among plain ones; in the other alphabets words are not mixed with ASCII. */
function isOddNeighbour(before: string, script: Candidate['script']): boolean {
  if (script === latin) return before > '\x7f' && /\p{L}/u.test(before)
  return script instanceof RegExp && /[A-Za-z@[\\\]^_`{|}~]/.test(before)
}

function decodedPairs(label: string, [firstLead, lastLead]: Range, [firstTrail, lastTrail]: Range) {
  const bytes: number[] = []
  for (let lead = firstLead; lead <= lastLead; lead++) {
    for (let trail = firstTrail; trail <= lastTrail; trail++) bytes.push(lead, trail)
  }
  return new Set(new TextDecoder(label).decode(Uint8Array.from(bytes)))
}

/** Null where a byte sequence does not exist in the encoding. A sequence that the sample's end cuts is no fault. */
function decodeStrictly(label: string, sample: Uint8Array): string | null {
  if (isTable(label)) return decodeByTable(label, sample)
  try {
    return new TextDecoder(label, { fatal: true }).decode(sample, { stream: true })
  } catch {
    return null
  }
}
