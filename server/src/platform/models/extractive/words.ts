/** Words as the extractive model compares them: folded, stemmed, and grouped with words of about the same meaning. */
import { stemmer } from '@orama/stemmers/english'
import { inAmericanSpelling } from '../../analysis/american-spelling.ts'
import { analyse } from '../../analysis/analyse.ts'
import { detectLanguage } from '../../analysis/detect-language.ts'
import { plainTerm } from '../../analysis/languages.ts'
import type { LanguageCode } from '../../analysis/stop-words.ts'
import { commonWords, isCommon } from './common-words.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** How a question in some language and the texts that may answer it are compared. */
export type Words = {
  /** The words of a text in their order, each as its stem. */
  stemsOf(text: string): string[]
  /** The stems of a question that carry its meaning, each once, in their order. */
  termsOf(question: string): string[]
  /** 1 if the word itself is there, less if only a related word is there. */
  presence(term: string, stems: ReadonlySet<string>): number
  /** Null if it is unknown. */
  language: LanguageCode | null
  /** Whether the word is a common one, which says little of what a text is about. */
  isCommon(term: string): boolean
}

/** By the language of the question, else of the texts. */
export function wordsOf(question: string, texts: readonly string[]): Words {
  const sample = texts.slice(0, textsSampled).join('\n').slice(0, charactersSampled)
  const latin = question.match(/\p{Script=Latin}/gu)?.length ?? 0
  const other = question.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0
  const language = detectLanguage(question) ?? (other > latin ? null : detectLanguage(sample))
  return other <= latin && (language === null || language === 'en')
    ? { ...english, language }
    : wordsIn(language)
}

const textsSampled = 3
const charactersSampled = 2_000

const english: Omit<Words, 'language'> = {
  stemsOf,
  termsOf,
  presence(term, stems) {
    if (stems.has(term)) return 1
    for (const other of relatedTo(term)) if (stems.has(other)) return relatedShare
    return 0
  },
  isCommon: term => commonStems.has(term),
}

const relatedShare = 0.7

/** In languages without lists of our own, words are related that share most of their letters. */
const wordsIn = (known: LanguageCode | null, language = known ?? 'en'): Words => ({
  language: known,
  stemsOf: text => analyse(text, language).map(({ term }) => plainTerm(term)),
  termsOf(question) {
    const asked = question.replace(askingParts, ' ')
    const tokens = analyse(asked, language).filter(({ isStop, word }) => !isStop && !isGrammar(word))
    return [...new Set(tokens.map(({ term }) => plainTerm(term)))]
  },
  presence(term, stems) {
    if (stems.has(term)) return 1
    if (term.length < shortestRelated || !/^\p{L}+$/u.test(term)) return 0
    for (const stem of stems) if (areRelated(term, stem)) return relatedShare
    return 0
  },
  isCommon: term => isCommon(term, language),
})

const shortestRelated = 4

/** "Urlaub" and "Urlaubstag", "kündigen" and "Kündigung", "отпуск" and "отпускной". */
function areRelated(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < shortestRelated) return false
  if (short.length >= shortestPart && (long.startsWith(short) || long.endsWith(short))) return true
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return same >= shortestPart && same >= commonPart * long.length
}

const shortestPart = 5
const commonPart = 0.6

/** What Chinese, Japanese and Korean ask with: it stands in no answer. */
const askingParts =
  /什么时候|什麼時候|多少|什么|什麼|怎么|怎麼|哪里|哪裡|哪个|哪|谁|誰|几|幾|吗|嗎|呢|の?ですか|ますか|でしょうか|いくら|いくつ|何|どこ|いつ|だれ|誰|どの|(?:입니까|습니까|인가요|나요|까요|에요|예요|이에요)|얼마나?|무엇|어디|언제|누구|몇/gu

/** A pair of characters that is grammar: one with a Japanese particle, or of Chinese small words. */
const isGrammar = (word: string): boolean =>
  /^\p{scx=Hiragana}|\p{scx=Hiragana}$/u.test(word) || /[的是在了有]/u.test(word)

/** The words of an English text in their order, each as its stem. */
export function stemsOf(text: string): string[] {
  const stems: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) stems.push(stemOf(segment))
  }
  return stems
}

/** The stems of a question that carry its meaning, each once, in their order. */
export function termsOf(question: string): string[] {
  const terms = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(question)) {
    if (isWordLike && !stopWords.has(fold(segment))) terms.add(stemOf(segment))
  }
  return [...terms]
}

/** Stems that mean about the same as the given stem, without that stem. */
const relatedTo = (stem: string): ReadonlySet<string> => related.get(stem) ?? none

/** Whether a question needs the word for its grammar only, so that a document may say the same without it. */
export const isPlain = (stem: string): boolean => plain.has(stem)

const none: ReadonlySet<string> = new Set()

function stemOf(word: string): string {
  const folded = fold(word)
  return (
    irregular.get(folded) ??
    stemmer(numerals.get(folded) ?? (/^[a-z]+$/.test(folded) ? inAmericanSpelling(folded) : folded))
  )
}

/** Lower case without accents and without a possessive 's, which says nothing about the thing. */
function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/, '')
}

/** A map, because in an object a word such as `constructor` would find a built-in property. */
function mapOf(words: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(words))
}

const numerals = mapOf({
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
})

/** Forms that the suffix rules do not bring together. */
const irregular = mapOf({
  bought: 'buy',
  sold: 'sell',
  paid: 'pai',
  pay: 'pai',
  pays: 'pai',
  paying: 'pai',
  payment: 'pai',
  payments: 'pai',
  built: 'build',
  kept: 'keep',
  stored: 'store',
  lost: 'lose',
  stolen: 'steal',
  broken: 'break',
  gave: 'give',
  given: 'give',
  took: 'take',
  taken: 'take',
  sent: 'send',
  found: 'find',
  written: 'write',
  wrote: 'write',
  ridden: 'ride',
  children: 'child',
  people: 'person',
  men: 'man',
  women: 'woman',
  feet: 'foot',
  teeth: 'tooth',
  tyre: 'tire',
  tyres: 'tire',
  colour: 'color',
  colours: 'color',
  dies: 'die',
  dying: 'die',
})

const stopWords = new Set(
  (
    'a about after all also am an and any are as at be because been before being between both but by can could did do does ' +
    'doing during each for from get gets getting go had has have having he her here hers him his how i if in into is it its ' +
    'just let long many may me might mine more most much must my need needs no nor not of off on once only or other our ours ' +
    'out over own please same shall she should so some such tell than that the their theirs them then there these they this ' +
    'those to too under until up us very want was we were what when where which while who whom whose why will with would you ' +
    'your yours ' +
    'actually always available currently ever exactly generally happen happens kind normal normally please possible really regular ' +
    'require required requires still sort typical usual usually'
  ).split(' '),
)

const commonStems: ReadonlySet<string> = new Set([...commonWords.en].map(stemOf))

const plain = new Set('amount figure report state give change compare spend'.split(' ').map(stemOf))

/** Everyday words of business that people exchange freely; a related word counts less than the word itself. */
const groups = [
  'vacation holiday leave',
  'illness sick sickness ill',
  'cost price fee charge expensive rate',
  'buy purchase order',
  'return refund',
  'begin start',
  'end finish stop expire',
  'employee staff worker colleague',
  'boss manager lead supervisor',
  'company firm business organisation organization employer',
  'phone call telephone',
  'mail email e-mail message',
  'car vehicle',
  'laptop computer device notebook',
  'steal theft lose missing',
  'defect fault broken break damage error',
  'mean meaning stand signify',
  'length duration',
  'minimum least smallest lowest',
  'maximum most largest highest limit',
  'discount off reduction cheaper',
  'keep retain store retention',
  'allow permit permission may',
  'forbid prohibit ban',
  'answer reply response respond',
  'repair fix mend',
  'customer client buyer',
  'salary wage income',
  'child kid',
  'doctor physician medical',
  'close shut closed closure',
  'open opening hours',
  'approve approval authorise authorize sign',
  'night overnight',
  'home remote remotely',
  'password passphrase credential',
  'photo picture image',
  'delivery shipping deliver ship',
  'wait take',
  'swollen bulging damaged',
  'mileage kilometre kilometer mile',
  'claim file submit',
]

const related = relate(groups)

function relate(lists: readonly string[]): Map<string, Set<string>> {
  const relations = new Map<string, Set<string>>()
  for (const list of lists) {
    const stems = list.split(' ').map(stemOf)
    for (const stem of stems) {
      const others = relations.get(stem) ?? new Set<string>()
      for (const other of stems) if (other !== stem) others.add(other)
      relations.set(stem, others)
    }
  }
  return relations
}
