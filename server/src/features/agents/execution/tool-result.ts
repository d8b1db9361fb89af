/** What a tool's result may come to, and the numbers by which its passages are cited. */
import type { Passage, ToolResult } from '../../../platform/tool.ts'
import type { NumberedPassage } from '../records/citations.ts'

/** Of a result's JSON, and of its passages together. */
const mostCharacters = 60_000

export type BoundResult = { passages: NumberedPassage[]; content?: unknown; note?: string | undefined }

/** Cuts what is too long, and says so in the note. */
export function boundResult(result: ToolResult, number: (passage: Passage) => NumberedPassage): BoundResult {
  const found = result.passages ?? []
  const kept = found.slice(0, firstThatDoNotFit(found))
  const passages = kept.map(number)
  const content = result.contentFor?.(passages.map(each => `[${each.number}]`)) ?? result.content
  const bound = content === undefined ? null : boundContent(content)
  const notes = [
    result.note,
    kept.length < found.length ? `Only ${kept.length} of ${found.length} passages fit.` : undefined,
    bound?.note,
  ].filter(note => note !== undefined)
  return {
    passages,
    content: bound === null ? undefined : bound.content,
    note: notes.length === 0 ? undefined : notes.join(' '),
  }
}

function firstThatDoNotFit(passages: readonly Passage[]): number {
  let characters = 0
  const first = passages.findIndex(({ text }) => {
    characters += text.length
    return characters > mostCharacters
  })
  return first === -1 ? passages.length : first
}

/** What is no JSON, such as a number that is none, becomes what JSON makes of it. */
function boundContent(content: unknown): { content: unknown; note: string | undefined } {
  const json = JSON.stringify(content) ?? 'null'
  if (json.length <= mostCharacters) return { content: JSON.parse(json), note: undefined }
  const cut = shorten(JSON.parse(json), mostCharacters / json.length)
  const fits = JSON.stringify(cut).length <= mostCharacters
  return {
    content: fits ? cut : json.slice(0, mostCharacters).toWellFormed(),
    note: `The result was cut: it had ${json.length} characters, of at most ${mostCharacters}.`,
  }
}

/** The longest text is what makes a result long. */
function shorten(content: unknown, share: number): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const longest = Object.entries(content)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .sort(([, a], [, b]) => b.length - a.length)[0]
  if (longest === undefined) return content
  const [name, text] = longest
  // A little less than the share, for what stands beside it and for escapes.
  return { ...content, [name]: text.slice(0, Math.floor(text.length * share * 0.95) - 100).toWellFormed() }
}

/** Numbers passages over the whole run; a passage that was found before keeps its number. */
export function createNumbering(before: readonly NumberedPassage[]) {
  const numbers = new Map(before.map(({ number, passage }) => [passage.chunkId, number]))
  return (passage: Passage): NumberedPassage => {
    const number = numbers.get(passage.chunkId) ?? new Set(numbers.values()).size + 1
    numbers.set(passage.chunkId, number)
    return { number, passage }
  }
}
