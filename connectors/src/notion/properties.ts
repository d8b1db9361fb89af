/** The properties of a row: as lines of its document, and as fields that filters can use. */
import { type Page, type Property, plainText, type RichText } from './notion-api.ts'

type Value = string | number | boolean | string[]

const longestField = 500
const maxFields = 30
/** Names that are taken by the metadata of every document. */
const takenNames = ['url', 'author', 'createdAt', 'updatedAt', 'readers', 'source', 'connectionId']
/** Types without a useful value: other pages' ids, and values that the page states anyway. */
const silentTypes = ['title', 'relation', 'created_time', 'last_edited_time', 'button', 'verification']

export function titleOf({ properties }: Page): string {
  const title = Object.values(properties).find(({ type }) => type === 'title')
  return plainText(title?.title as RichText[] | undefined).trim() || 'Untitled'
}

/** One line for each property with a value, such as `**Status:** Done`. */
export function propertyLines({ properties }: Page): string[] {
  return plainValues(properties).map(([name, value]) => `**${name}:** ${textOf(value)}  `)
}

const textOf = (value: Value): string => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

export function fieldsOf({ properties }: Page): Record<string, Value> {
  const fits = ([name, value]: [string, Value]) =>
    !takenNames.includes(name) && !(typeof value === 'string' && value.length > longestField)
  return Object.fromEntries(plainValues(properties).filter(fits).slice(0, maxFields))
}

function plainValues(properties: Record<string, Property>): [string, Value][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = silentTypes.includes(property.type) ? null : plainValue(property)
    return value === null ? [] : [[name, value] as [string, Value]]
  })
}

/** Null if the property has no value, or if its type is unknown here. */
function plainValue(property: Property | null | undefined): Value | null {
  if (property === null || property === undefined) return null
  const value = property[property.type]
  switch (property.type) {
    case 'rich_text':
      return plainText(value as RichText[]) || null
    case 'select':
    case 'status':
      return nameOf(value)
    case 'multi_select':
    case 'people':
    case 'files':
      return namesOf(value)
    case 'created_by':
    case 'last_edited_by':
      return nameOf(value)
    case 'date':
      return periodOf(value as { start: string; end: string | null } | null)
    case 'unique_id': {
      const { prefix, number } = value as { prefix: string | null; number: number | null }
      return number === null ? null : `${prefix === null ? '' : `${prefix}-`}${number}`
    }
    case 'formula':
      return plainValue(value as Property)
    case 'rollup':
      return rollupOf(value as Property)
    default:
      return isPlain(value) ? value : null
  }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'

const nameOf = (value: unknown): string | null => (value as { name?: string | null } | null)?.name ?? null

function namesOf(value: unknown): string[] | null {
  const names = (value as unknown[]).map(nameOf).filter(name => name !== null)
  return names.length === 0 ? null : names
}

const periodOf = (date: { start: string; end: string | null } | null): string | null => {
  if (date === null) return null
  return date.end === null ? date.start : `${date.start} – ${date.end}`
}

function rollupOf(rollup: Property): Value | null {
  if (rollup.type !== 'array') return plainValue(rollup)
  const values = (rollup.array as Property[]).map(each =>
    each.type === 'title' ? plainText(each.title as RichText[]) : plainValue(each),
  )
  const texts = values.filter(value => value !== null).map(textOf)
  return texts.length === 0 ? null : texts
}
