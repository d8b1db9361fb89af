/** The models that a server lists, whatever the shape of its list, with the windows that it names. */
import { type Fields, isFields } from '@atrium/connectors/fields'
import { windowOf } from '../failures/too-long.ts'

export type ListedModel = { id: string; contextTokens: number | null }

const listKeys = ['data', 'models', 'result', 'results', 'items', 'model_list', 'list', 'body', 'value']
const idKeys = ['id', 'model', 'name', 'slug', 'key', 'model_id', 'modelId', 'model_name', 'modelName']
const mostDepth = 3
const mostModels = 5_000

/** Empty if the body holds no list of models. */
export function modelsIn(body: unknown): ListedModel[] {
  const entries = entriesIn(body, 0) ?? []
  const listed = new Map<string, ListedModel>()
  for (const entry of entries.slice(0, mostModels)) {
    const id = idOf(entry)
    if (id !== null && !listed.has(id)) listed.set(id, { id, contextTokens: windowOf(entry) })
  }
  return [...listed.values()]
}

/** A list, an object that holds one, or an object with an entry for each name. */
function entriesIn(value: unknown, depth: number): unknown[] | null {
  if (Array.isArray(value)) return value.some(one => idOf(one) !== null) ? value : null
  if (!isFields(value) || depth > mostDepth) return null
  const keys = [
    ...listKeys.filter(key => key in value),
    ...Object.keys(value).filter(key => !listKeys.includes(key)),
  ]
  for (const key of keys.slice(0, 50)) {
    const inner = value[key]
    const found = entriesIn(inner, depth + 1)
    if (found !== null) return found
    if (listKeys.includes(key) && isFields(inner) && Object.values(inner).every(isFields)) {
      return Object.entries(inner).map(([id, entry]) => ({ id, ...(entry as Fields) }))
    }
  }
  return null
}

function idOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry.trim() === '' ? null : entry
  if (!isFields(entry)) return null
  for (const key of idKeys) {
    const value = entry[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}
