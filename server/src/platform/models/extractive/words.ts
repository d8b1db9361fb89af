/** Words as the extractive model compares them: folded, stemmed, and grouped with words of about the same meaning. */
import { stemmer } from '@orama/stemmers/english'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text in their order, each as its stem. */
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
export const relatedTo = (stem: string): ReadonlySet<string> => related.get(stem) ?? none

/** Whether a question needs the word for its grammar only, so that a document may say the same without it. */
export const isPlain = (stem: string): boolean => plain.has(stem)

const none: ReadonlySet<string> = new Set()

function stemOf(word: string): string {
  const folded = fold(word)
  return irregular.get(folded) ?? stemmer(numerals.get(folded) ?? folded)
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
