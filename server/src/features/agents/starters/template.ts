/** Puts values of a payload into a text: `{{body.issue.title}}`, or with a default `{{body.issue.title|none}}`. */
import { type FieldError, invalidField, mostFieldErrors, ServiceError } from '../../../platform/errors.ts'
import { asOutsideText, withOutsideNote } from '../../../platform/models/outside-text.ts'
import { maxText as maxPrompt } from '../records/message-schemas.ts'

/** `path` is empty for the whole payload; `fallback` is null without a default. */
type Piece = string | { path: string[]; fallback: string | null }

export const maxPlaceholders = 50

/** Throws a 400 that names `field` if something between double braces is no placeholder. */
export function parseTemplate(text: string, field: string): Piece[] {
  const pieces = text.split(/\{\{([^{}]*)\}\}/)
  if (pieces.length > 2 * maxPlaceholders + 1) {
    throw invalidField(field, `must have at most ${maxPlaceholders} placeholders`)
  }
  // `split` puts what was matched between the other pieces, at the odd indexes.
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : placeholderOf(piece, field)))
}

function placeholderOf(text: string, field: string): Exclude<Piece, string> {
  const found = /^\s*body((?:\.[^\s.|]+)*)\s*(?:\|(.*))?$/s.exec(text)
  if (found === null) {
    throw invalidField(
      field,
      `has {{${text.slice(0, 100)}}}, which is no placeholder: write {{body.path.to.field}}, or {{body.path|default}}`,
    )
  }
  return { path: (found[1] ?? '').split('.').slice(1), fallback: found[2]?.trim() ?? null }
}

/**
 * Returns the text with the payload's values: strings as they are, anything else as JSON. A field that is absent or
 * null needs a default; `missing` collects the faults of fields without one. A value that looks like a placeholder
 * stays as it is. Once the text has more than `most` characters, the caller will refuse it and no more values are
 * added. Otherwise a payload for each placeholder would take a gigabyte.
 */
export function filled(
  pieces: readonly Piece[],
  body: unknown,
  missing: FieldError[],
  { most, shown = value => value }: { most: number; shown?: (value: string) => string },
): string {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    const value = valueAt(body, piece.path)
    if (value === undefined || value === null) {
      if (piece.fallback === null) missing.push({ field: piece.path.join('.'), message: isMissing })
      text += piece.fallback ?? ''
    } else if (text.length <= most) {
      text += shown(typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
  return text
}

const isMissing = 'is required: the trigger puts it into the run, and gives it no default'

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

type Templates = { promptTemplate: string; variables: Record<string, string> }

/** Throws a 400 that names each field of the payload that is missing, or each text that becomes too long. */
export function runInputs({ promptTemplate, variables }: Templates, body: unknown) {
  const errors: FieldError[] = []
  const pieces = parseTemplate(promptTemplate, 'promptTemplate')
  const text = filled(pieces, body, errors, { most: maxPrompt, shown: asOutsideText })
  const prompt = pieces.length === 1 ? text : withOutsideNote(text)
  const values = Object.entries(variables).map(([name, template]) => {
    const field = `variables.${name}`
    const value = filled(parseTemplate(template, field), body, errors, { most: maxVariable })
    if (value.length > maxVariable) errors.push(tooLong(field, maxVariable))
    return [name, value]
  })
  if (prompt.length > maxPrompt) errors.push(tooLong('promptTemplate', maxPrompt))
  if (errors.length > 0)
    throw new ServiceError('validation_failed', undefined, { errors: errors.slice(0, mostFieldErrors) })
  return { prompt, variables: Object.fromEntries(values) as Record<string, string> }
}

/** The most characters of a variable that a run takes. */
const maxVariable = 10_000

const tooLong = (field: string, limit: number): FieldError => ({
  field,
  message: `has more than ${limit} characters with the values of this payload`,
  rule: 'maxLength',
  limit,
})
