/** Reads values of replies whose types differ from server to server: a number as a text, an object for a text. */

import { isFields } from '@atrium/connectors/fields'

export type Json = Record<string, unknown>

/** Empty for what is no object. */
export const recordIn = (value: unknown): Json => (isFields(value) ? value : {})

/** A single value stands for a list of one. */
export const listIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value == null || value === '' ? [] : [value]

/** How deep a text may lie in objects and lists. */
const mostLevels = 4

/** The text of a value: of the text itself, or of the field of an object that holds it. Empty for anything else. */
export function textIn(value: unknown, levels = mostLevels): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (levels === 0) return ''
  if (Array.isArray(value)) return value.map(item => textIn(item, levels - 1)).join('')
  const { text, content, value: inner } = recordIn(value)
  return textIn(text ?? content ?? inner ?? '', levels - 1)
}

/** Undefined for what is no number, whether it came as a number or as a text. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** The JSON of a value that may already be written as JSON. */
export const jsonTextOf = (value: unknown): string =>
  value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
