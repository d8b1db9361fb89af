/** Takes a query apart: plain words, "phrases", -excluded ones and prefixes*. Any text is a query, and none is an error. */

export type QueryClause = {
  kind: 'words' | 'phrase' | 'prefix'
  text: string
  /** What it stands for must not be there. */
  isExcluded: boolean
}

/** Longer queries are cut there, in UTF-16 units. */
export const maxQueryLength = 4_000

/** Whatever follows so many parts is plain text. */
const maxClauses = 32

/** Who writes more words beside the quotes writes prose, in which they demand nothing. */
const maxBesideQuotes = 8

/** In their order. A quote without its other half, a hyphen and a star that belong to no word are plain text. */
export function readClauses(query: string): QueryClause[] {
  const text = query.slice(0, maxQueryLength).replaceAll(/[“”„]/g, '"')
  const clauses = takeApart(text, true)
  const beside = clauses
    .filter(({ kind }) => kind === 'words')
    .flatMap(clause => clause.text.match(words) ?? [])
  return beside.length > maxBesideQuotes ? takeApart(text, false) : clauses
}

function takeApart(text: string, areQuotesHeeded: boolean): QueryClause[] {
  const clauses: QueryClause[] = []
  let plainFrom = 0
  for (const match of text.matchAll(special)) {
    const { not, quoted, prefix, word } = match.groups as ClauseGroups
    const isExcluded = not !== undefined
    const isPlain = quoted !== undefined && (!hasWord.test(quoted) || (!areQuotesHeeded && !isExcluded))
    if (isPlain || clauses.length >= maxClauses) continue
    addPlain(clauses, text.slice(plainFrom, match.index))
    plainFrom = match.index + match[0].length
    // "-well-known" excludes the words in their order, as a phrase does.
    if (prefix === undefined) clauses.push({ kind: 'phrase', text: quoted ?? word ?? '', isExcluded })
    else clauses.push({ kind: 'prefix', text: prefix, isExcluded })
  }
  addPlain(clauses, text.slice(plainFrom))
  return clauses
}

type ClauseGroups = { [name in 'not' | 'quoted' | 'prefix' | 'word']: string | undefined }

const wordCharacter = String.raw`[\p{L}\p{N}\p{M}]`
const hasWord = new RegExp(wordCharacter, 'u')
const words = new RegExp(`${wordCharacter}+`, 'gu')

/** At the start of a word only: the hyphen of "well-known" excludes nothing. */
const special = new RegExp(
  String.raw`(?<=^|[\s(])(?<not>-)?"(?<quoted>[^"]*)"` +
    String.raw`|(?<=^|[\s(])(?<not>-)?(?<prefix>${wordCharacter}{2,})\*(?=$|[\s),.;:!?])` +
    String.raw`|(?<=^|[\s(])(?<not>-)(?<word>${wordCharacter}[^\s"*]*)`,
  'gu',
)

function addPlain(clauses: QueryClause[], text: string): void {
  if (text.trim() !== '') clauses.push({ kind: 'words', text, isExcluded: false })
}
