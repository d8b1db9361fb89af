/**
 * Stems of scripts other than Latin and Cyrillic, by letters alone: such a word shows its language by its script. Only
 * endings and particles are removed that few words have by themselves.
 */

/** The stem of a folded word; the word itself if its script has no rules here. */
export function stemOfScript(folded: string): string {
  if (!mayHaveRules.test(folded)) return folded
  if (arabic.test(folded)) return shorten(folded.replace(arabicArticle, ''), arabicEndings)
  if (hebrew.test(folded)) return shorten(folded, hebrewEndings)
  if (devanagari.test(folded)) return shorten(folded, hindiEndings)
  return folded
}

/** The stems of a word without the particles that these scripts write as a part of it: Hebrew "and the book". */
export function stemsWithoutParticles(folded: string): string[] {
  if (!mayHaveRules.test(folded)) return []
  const particle = arabic.test(folded) ? arabicParticle : hebrew.test(folded) ? hebrewParticle : null
  if (particle === null) return []
  const stems = new Set<string>()
  let word = folded
  // "And in the book" has three.
  for (let removed = 0; removed < mostParticles; removed++) {
    const shorter = word.replace(particle, '')
    if (shorter === word) break
    word = shorter
    stems.add(stemOfScript(word))
  }
  stems.delete(stemOfScript(folded))
  return [...stems]
}

const mostParticles = 3

const mayHaveRules = /^[\u0590-\u097f]/
const arabic = /^\p{Script=Arabic}+$/u
const hebrew = /^\p{Script=Hebrew}+$/u
const devanagari = /^\p{Script=Devanagari}+$/u

/** The article with the particles that are written before it ("light10" of Larkey, Ballesteros and Connell, 2002). */
const arabicArticle = /^(?:[وفبك]?ال|وبال|وكال|ولل|فلل|لل)(?=.{2})/u
const arabicEndings = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']
/** One letter before a word of at least four: "and", "so", "in", "for", "like". */
const arabicParticle = /^[وفبلك](?=.{4})/u

const hebrewEndings = ['יות', 'ימ', 'ות']
const hebrewParticle = /^[ושהבלכמ](?=.{3})/u

/** As `fold` leaves them ("A Lightweight Stemmer for Hindi", Ramanathan and Rao, 2003). */
const hindiEndings = [
  ...[
    'ियों',
    'ियां',
    'ाओं',
    'ुओं',
    'ुआं',
    'ाएं',
    'िया',
    'ियो',
    'ाएगि',
    'ाएगा',
    'ाता',
    'ाति',
    'ाते',
    'ाना',
    'ाने',
    'ानि',
  ],
  ...['ों', 'ें', 'ां', 'िं', 'ते', 'ता', 'ति', 'ना', 'ने', 'नि', 'ए', 'ओ', 'ा', 'े', 'ि', 'ो', 'ु'],
]

/** Fewer letters would not tell what the word was. */
const shortestStem = 3
const shortestIndicStem = 2

/** Removes endings, the longest first, as long as a stem is left. Arabic has up to two. */
function shorten(word: string, endings: readonly string[]): string {
  const least = endings === hindiEndings ? shortestIndicStem : shortestStem
  const rounds = endings === arabicEndings ? 2 : 1
  let stem = word
  for (let round = 0; round < rounds; round++) {
    const found = endings.find(ending => stem.endsWith(ending) && stem.length - ending.length >= least)
    if (found === undefined) break
    stem = stem.slice(0, -found.length)
  }
  return stem
}
