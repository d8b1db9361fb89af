/** Reads requests to vector stores: the attributes of files, and searches with OpenAI's filters. */

import { type Fields, isFields } from '@atrium/connectors/fields'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import type { Filter, Scalar } from '../../../platform/narrowing.ts'
import type { UploadFields } from '../../knowledge/records/schemas.ts'
import { createReader, type Reader } from './reading.ts'

export type Attributes = Record<string, Scalar>
export type Metadata = NonNullable<UploadFields['metadata']>

/** The field of a file's metadata that names the file's batch. */
export const batchField = 'openai.batch'

const mostAttributes = 16
const mostOfKey = 64
const mostOfText = 512

/** Undefined if none are given: then the file keeps its own. */
export function readAttributes(value: unknown, param: string, reader: Reader): Attributes | undefined {
  const fields = reader.fields(value, param)
  if (fields === undefined) return undefined
  const entries = Object.entries(fields)
  if (entries.length > mostAttributes) reader.fault(param, `must have at most ${mostAttributes} attributes`)
  return Object.fromEntries(
    entries.slice(0, mostAttributes).flatMap(([key, one]): [string, Scalar][] => {
      const place = `${param}.${key.slice(0, mostOfKey)}`
      if (!/^[^$]/.test(key) || key.length > mostOfKey || key.startsWith('openai.')) {
        reader.fault(
          place,
          `must have a name of at most ${mostOfKey} characters, none with $ or openai. first`,
        )
        return []
      }
      if (!isScalar(one) || (typeof one === 'string' && one.length > mostOfText)) {
        reader.fault(place, `must be a number, true, false, or a text of at most ${mostOfText} characters`)
        return []
      }
      return [[key, one]]
    }),
  )
}

/** The file's original metadata, without the fields that this protocol adds. */
export const ownMetadata = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => !key.startsWith('openai.')))

/** The metadata was checked when it came. */
export const metadataOf = (row: { metadata: Json<Record<string, unknown>> }): Metadata =>
  decodeJson(row.metadata) as Metadata

/** A document's metadata as attributes: lists become one text, and our own fields are left out. */
export const attributesOf = (metadata: Metadata): Attributes =>
  Object.fromEntries(
    Object.entries(ownMetadata(metadata)).map(([key, value]): [string, Scalar] => [
      key,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value)

const mostResults = 50
const usualResults = 10
const mostOfQuery = 4_000

export function readSearch(body: Fields): { query: string; limit: number; filter: Filter | null } {
  const reader = createReader()
  const [query, ...others] = Array.isArray(body.query) ? body.query : [body.query]
  if (others.length > 0) reader.fault('query', 'must be one text: ask for each by itself')
  const text = reader.text(query, 'query') ?? ''
  if (text.trim() === '') reader.fault('query', 'is required: what to look for')
  if (text.length > mostOfQuery) reader.fault('query', `must have at most ${mostOfQuery} characters`)
  const limit = readLimit(body, '', reader)
  refuseThreshold(body, '', reader)
  const isFiltered = body.filters !== undefined && body.filters !== null
  const filter = isFiltered ? filterOf(body.filters, 'filters', reader) : null
  reader.finish()
  return { query: text, limit, filter }
}

const within = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

export function readLimit(body: Fields, place: string, reader: Reader): number {
  const param = within(place, 'max_num_results')
  const limit = reader.number(body.max_num_results, param) ?? usualResults
  if (!Number.isInteger(limit) || limit < 1 || limit > mostResults) {
    reader.fault(param, `must be a whole number from 1 to ${mostResults}`)
  }
  return limit
}

/** Scores are comparable only within one reply. */
export function refuseThreshold(body: Fields, place: string, reader: Reader): void {
  const param = within(place, 'ranking_options')
  const threshold = reader.fields(body.ranking_options, param)?.score_threshold ?? 0
  if (threshold !== 0) reader.fault(`${param}.score_threshold`, 'must be left out: use max_num_results')
}

/** Translates OpenAI's filter into Atrium's language, which checks its size and fields. Null if it is faulty. */
export function filterOf(value: unknown, place: string, reader: Reader): Filter | null {
  if (!isFields(value)) return blame(reader, place, 'must be an object')
  const { type, key, value: wanted, filters } = value
  if (type === 'and' || type === 'or') {
    if (!Array.isArray(filters)) return blame(reader, `${place}.filters`, 'must be a list of filters')
    const parts = filters.flatMap((one, at) => filterOf(one, `${place}.filters[${at}]`, reader) ?? [])
    return type === 'and' ? { and: parts } : { or: parts }
  }
  if (typeof key !== 'string' || key === '') return blame(reader, `${place}.key`, 'is required')
  switch (type) {
    case 'eq':
    case 'ne':
      if (isScalar(wanted)) return { field: key, op: type, value: wanted }
      return blame(reader, `${place}.value`, 'must be a text, a number, true or false')
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof wanted === 'number') return { field: key, op: type, value: wanted }
      return blame(reader, `${place}.value`, 'must be a number')
    case 'in':
    case 'nin': {
      if (!Array.isArray(wanted) || !wanted.every(isScalar)) {
        return blame(reader, `${place}.value`, 'must be a list of texts and numbers')
      }
      const within: Filter = { field: key, op: 'in', value: wanted }
      return type === 'in' ? within : { not: within }
    }
    default:
      return blame(reader, `${place}.type`, 'must be eq, ne, gt, gte, lt, lte, in, nin, and, or')
  }
}

function blame(reader: Reader, place: string, message: string): null {
  reader.fault(place, message)
  return null
}
