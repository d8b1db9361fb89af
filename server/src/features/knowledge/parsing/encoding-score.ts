/** Which of the older encodings a text is in: the one under which it looks most like a language. */

/** A label that `TextDecoder` knows; null where the sample looks like a text in none. `known` is what it is said to be. */
export function likeliestEncoding(sample: Uint8Array, known: string | null): string | null {
  const ranked = candidates
    .map(candidate => ({ label: candidate.label, score: scoreOf(candidate, sample, known) }))
    .filter(({ score }) => score > worstScore)
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.label ?? null
}

const worstScore = -1

type Candidate = {
  label: string
  /** The letters (or signs) that make up most of any text in a language that is written so. */
  frequent: string
  /** What else its texts are made of. */
  script: RegExp | ReadonlySet<string>
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

/** The commoner one first: equal scores are settled by this order. */
const candidates: readonly Candidate[] = [
  { label: 'windows-1252', frequent: 'éèàäöüßçñáíóúâêîôûåøæãõÄÖÜÉÅØÆÑÇ', script: latin },
  { label: 'windows-1251', frequent: 'оеаинтсрвлі', script: cyrillic },
  { label: 'koi8-r', frequent: 'оеаинтсрвл', script: cyrillic },
  { label: 'ibm866', frequent: 'оеаинтсрвл', script: cyrillic },
  { label: 'windows-1250', frequent: 'ąćęłńóśźżáčďéěíňřšťúůýžőűăâîöüŁŚŻČŘŠŽ', script: latin },
  { label: 'windows-1253', frequent: 'αοιετσνηυρς', script: /\p{Script=Greek}/u },
  { label: 'windows-1254', frequent: 'ığşöüçİĞŞÖÜÇ', script: latin },
  { label: 'windows-1255', frequent: 'יוהלארתבשמנםדע', script: /\p{Script=Hebrew}/u },
  { label: 'windows-1256', frequent: 'اليمونرتبة', script: arabic },
  { label: 'iso-8859-6', frequent: 'اليمونرتبة', script: arabic },
  { label: 'windows-874', frequent: 'านรอกเงมยล', script: /\p{Script=Thai}/u },
  { label: 'shift_jis', frequent: frequentKana, script: japanese },
  { label: 'euc-jp', frequent: frequentKana, script: japanese },
  { label: 'gb18030', frequent: '的一是不了在人有我他这个中大来上国和', script: simplified },
  { label: 'big5', frequent: '的一是不了在人有我他這個中大來上國和', script: traditional },
  { label: 'euc-kr', frequent: '이다는의에가을고한하로를은지사도', script: korean },
]

type Range = readonly [first: number, last: number]

const declaredBonus = 0.15
const typography = /[“”‘’‚„–—…«»‹›€£§©®™°·•¿¡№、。，！？：；（）「」『』《》【】・〜％]/u

/**
 * How much a text in this encoding looks like a language: near 1 if all that is not ASCII are its frequent letters,
 * below 0 if it is symbols, control characters and capitals in the middle of words.
 */
function scoreOf({ label, frequent, script }: Candidate, sample: Uint8Array, known: string | null): number {
  const text = decodeStrictly(label, sample)
  if (text === null) return Number.NEGATIVE_INFINITY
  const isFrequent = new Set(frequent)
  let sum = 0
  let count = 0
  let before = ''
  for (const character of text) {
    if (character > '\x7f') {
      sum += weightOf(character, before, isFrequent, script)
      count += 1
    }
    before = character
  }
  if (count === 0) return Number.NEGATIVE_INFINITY
  return sum / count + (label === known ? declaredBonus : 0)
}

function weightOf(
  character: string,
  before: string,
  isFrequent: ReadonlySet<string>,
  script: Candidate['script'],
): number {
  if (/[\x80-\x9f\ufffd\p{Co}\p{Cn}]/u.test(character)) return -2
  const capitalInsideWord = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)
  const markWithoutLetter = /\p{M}/u.test(character) && !/[\p{L}\p{M}]/u.test(before)
  const letterBehindFinalForm = /[ςךםןףץ]/.test(before) && /\p{L}/u.test(character)
  if (capitalInsideWord || markWithoutLetter || letterBehindFinalForm) return -1
  if (isOddNeighbour(before, script)) return 0.2
  if (isFrequent.has(character)) return 1
  if (script instanceof RegExp) {
    if (script.test(character)) return 0.5
  } else if (script.has(character)) return 0.7
  if (typography.test(character)) return 0.5
  if (/\p{Script=Han}/u.test(character)) return 0.2
  return /\p{L}|\p{M}/u.test(character) ? -0.5 : -0.7
}

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
  try {
    return new TextDecoder(label, { fatal: true }).decode(sample, { stream: true })
  } catch {
    return null
  }
}
