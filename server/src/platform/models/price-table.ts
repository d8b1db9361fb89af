/** The operator's own facts about models: a JSON file of windows and prices that overrides the built-in catalog. */
import { isFields } from '@atrium/connectors/fields'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { nearestName } from '../text/nearest-name.ts'
import type { ModelFacts, Price } from './catalog.ts'
import { parseModelName } from './providers.ts'

/** By the name that agents use, such as `openai/gpt-5.4`. A fact that is absent comes from the catalog. */
export type PriceTable = ReadonlyMap<string, Partial<ModelFacts>>

export const noPriceTable: PriceTable = new Map()

const priceFields = [
  'inputUsdPerMillionTokens',
  'cachedInputUsdPerMillionTokens',
  'outputUsdPerMillionTokens',
] as const
const fields: readonly string[] = ['contextTokens', 'seesImages', ...priceFields]

const maxEntries = 2_000
const maxContextTokens = 100_000_000
const maxUsd = 1_000_000

/** Reads the text of the file. Each fault is one line that names the entry and the field. */
export function parsePriceTable(text: string): { table: PriceTable; faults: string[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      table: noPriceTable,
      faults: [`is not valid JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`],
    }
  }
  if (!isFields(value)) {
    return {
      table: noPriceTable,
      faults: ['must be an object of models by name, such as {"openai/gpt-5.4": {…}}'],
    }
  }
  const entries = Object.entries(value)
  if (entries.length > maxEntries) {
    return { table: noPriceTable, faults: [`must have at most ${maxEntries} models`] }
  }
  const faults: string[] = []
  const table = new Map<string, Partial<ModelFacts>>()
  for (const [name, entry] of entries) {
    const wrong = faultsOf(name, entry)
    faults.push(...wrong.map(fault => `${JSON.stringify(name)} ${fault}`))
    // An entry without faults holds nothing but numbers and truth values.
    if (wrong.length === 0) table.set(name, factsOf(entry as Entry))
  }
  return { table, faults }
}

type Entry = {
  contextTokens?: number
  seesImages?: boolean
  inputUsdPerMillionTokens?: number
  cachedInputUsdPerMillionTokens?: number
  outputUsdPerMillionTokens?: number
}

function faultsOf(name: string, entry: unknown): string[] {
  if (parseModelName(name).provider === null) {
    return ['is not the name of a model: openai/…, anthropic/… or google/…']
  }
  if (!isFields(entry)) return ['must be an object']
  const faults = Object.keys(entry)
    .filter(field => !fields.includes(field))
    .map(field => {
      const nearest = nearestName(field, fields)
      return `has the unknown field ${field}${nearest === null ? `; known are ${fields.join(', ')}` : `; did you mean ${nearest}?`}`
    })
  const { contextTokens, seesImages } = entry
  const isWindow = Number.isInteger(contextTokens) && isWithin(contextTokens, 1, maxContextTokens)
  if (contextTokens !== undefined && !isWindow) {
    faults.push(`has a contextTokens that is not a whole number from 1 to ${maxContextTokens}`)
  }
  if (seesImages !== undefined && typeof seesImages !== 'boolean') {
    faults.push('has a seesImages that is neither true nor false')
  }
  for (const field of priceFields) {
    if (entry[field] === undefined || isWithin(entry[field], 0, maxUsd)) continue
    faults.push(`has a ${field} that is not a number from 0 to ${maxUsd}`)
  }
  return [...faults, ...priceFaults(entry)]
}

function priceFaults(entry: Record<string, unknown>): string[] {
  const given = priceFields.filter(field => entry[field] !== undefined)
  if (given.length === 0) return []
  return (['inputUsdPerMillionTokens', 'outputUsdPerMillionTokens'] as const)
    .filter(field => !given.includes(field))
    .map(field => `has a price without ${field}`)
}

const factsOf = ({ contextTokens, seesImages, ...entry }: Entry): Partial<ModelFacts> => {
  const price = priceOf(entry)
  return withoutUndefined({
    contextTokens,
    seesImages,
    price: price ?? undefined,
  })
}

/** Null if there is no price. Cached tokens cost as much as fresh ones unless their price is given. */
export function priceOf(entry: Pick<Entry, (typeof priceFields)[number]>): Price | null {
  const { inputUsdPerMillionTokens: input, outputUsdPerMillionTokens: output } = entry
  if (input === undefined || output === undefined) return null
  return { input, cachedInput: entry.cachedInputUsdPerMillionTokens ?? input, output }
}

const isWithin = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max
