/** Reads the tools of a request and the choice among them: functions of the client, and the search of documents. */

import { type Fields, isFields } from '@atrium/connectors/fields'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { searchToolName } from '../../../platform/models/extractive/model.ts'
import type { NewRun } from '../../agents/records/run-schemas.ts'
import { withoutOddParts } from './odd-schema.ts'
import type { Asked, Reader } from './reading.ts'
import { filterOf, readLimit, refuseThreshold } from './store-request.ts'

/** A function of a request; functions run at the client. */
export type ToolOffer = {
  name: unknown
  description: unknown
  schema: unknown
  param: string
  schemaParam: string
}

/** The tools of a request that a run can have, and the types of the others. */
type Offers = { functions: ToolOffer[]; searches: boolean; others: string[] }

/** Fills in the run's functions, the collections that it searches, and its choice. */
export function readTools(
  body: Fields,
  toolOf: (tool: Fields, param: string) => ToolOffer,
  asked: Asked,
  reader: Reader,
): void {
  const offers: Offers = { functions: [], searches: false, others: [] }
  for (const [at, tool] of (reader.list(body.tools, 'tools') ?? []).entries()) {
    const param = `tools[${at}]`
    if (!isFields(tool)) continue
    if (tool.type === 'function') offers.functions.push(toolOf(tool, param))
    else if (tool.type === 'file_search') {
      if (offers.searches) reader.fault(param, 'is a second file_search: name all stores in the first')
      else readFileSearch(tool, param, asked, reader)
      offers.searches = true
    } else offers.others.push(String(tool.type))
  }
  const choice = readChoice(body.tool_choice, offers, reader)
  asked.searches = offers.searches
  asked.params.set('functions', 'tools')
  asked.params.set('toolChoice', 'tool_choice')
  if (choice.is !== 'auto') asked.run.toolChoice = choice.is
  const functions = offers.functions
    .filter(({ name }) => choice.among?.has(name) !== false)
    .map((offer, index) => functionOf(offer, index, asked, reader))
  if (functions.length > 0) asked.run.functions = functions
}

function functionOf(offer: ToolOffer, index: number, asked: Asked, reader: Reader) {
  const { name, description, schema, param, schemaParam } = offer
  asked.params.set(`functions.${index}`, param)
  asked.params.set(`functions.${index}.inputSchema`, schemaParam)
  const words = reader.text(description, `${param}.description`)
  const given = reader.fields(schema, schemaParam) ?? {}
  return withoutUndefined<NonNullable<NewRun['functions']>[number]>({
    name: reader.text(name, `${param}.name`) ?? '',
    description: words === '' ? undefined : words,
    inputSchema: withoutOddParts({ type: 'object', properties: {}, ...given }),
  })
}

/** The run is narrowed to the named stores. Whether they exist is checked when it starts. */
function readFileSearch(tool: Fields, param: string, { run, params }: Asked, reader: Reader): void {
  const place = `${param}.vector_store_ids`
  const ids = (reader.list(tool.vector_store_ids, place) ?? []).map(
    (id, at) => reader.text(id, `${place}[${at}]`) ?? '',
  )
  if (ids.length === 0) reader.fault(place, 'is required: the vector stores to search')
  run.collectionIds = [...new Set(ids)]
  // A search of a run finds fewer than most of these limits allow.
  readLimit(tool, param, reader)
  refuseThreshold(tool, param, reader)
  const isFiltered = tool.filters !== undefined && tool.filters !== null
  const filter = isFiltered ? filterOf(tool.filters, `${param}.filters`, reader) : null
  if (filter !== null) run.filter = filter
  params.set('collectionIds', place)
  params.set('filter', `${param}.filters`)
}

/** `among` has the names of the only functions that may be called; undefined means all. */
type Choice = { is: NonNullable<NewRun['toolChoice']>; among?: ReadonlySet<unknown> }

function readChoice(choice: unknown, offers: Offers, reader: Reader): Choice {
  if (choice === undefined || choice === null) return { is: 'auto' }
  if (choice === 'auto' || choice === 'none') return { is: choice }
  if (choice === 'required') return { is: required(offers, offers.others, 'tool_choice', reader) }
  if (isFields(choice)) {
    const { type } = choice
    if (type === 'allowed_tools') return readAllowed(choice, offers, reader)
    const name = type === 'function' ? functionNamed(choice) : undefined
    if (typeof name === 'string') return { is: { function: name } }
    if (type === 'file_search' && offers.searches) return { is: { function: searchToolName } }
    if (type === 'file_search') {
      reader.fault('tool_choice', 'names file_search, which `tools` does not offer')
      return { is: 'auto' }
    }
    if (typeof type === 'string' && type !== 'function') {
      reader.fault('tool_choice.type', `${type.slice(0, 100)} is not to be had: ${available}`)
      return { is: 'auto' }
    }
  }
  reader.fault('tool_choice', 'must be auto, none, required, allowed_tools, file_search, or name a function')
  return { is: 'auto' }
}

const available = 'there are functions of your program and file_search, besides the tools of the agent'

/** `others` are the tools of the choice that are not to be had. */
function required(
  { functions, searches }: Pick<Offers, 'functions' | 'searches'>,
  others: readonly string[],
  param: string,
  reader: Reader,
): 'required' {
  if (functions.length === 0 && !searches && others.length > 0) {
    const named = [...new Set(others)].join(', ').slice(0, 200)
    reader.fault(param, `demands a tool, and ${named} is not to be had: ${available}`)
  }
  return 'required'
}

/** The choice among some of the tools. The other functions are not offered to the model. */
function readAllowed(choice: Fields, offers: Offers, reader: Reader): Choice {
  const inner = isFields(choice.allowed_tools) ? choice.allowed_tools : choice
  const param = inner === choice ? 'tool_choice' : 'tool_choice.allowed_tools'
  const listed = (reader.list(inner.tools, `${param}.tools`) ?? []).map(one => (isFields(one) ? one : {}))
  const isListed = (type: string) => listed.some(one => one.type === type)
  const among = new Set(listed.flatMap(one => (one.type === 'function' ? [functionNamed(one)] : [])))
  for (const [at, one] of listed.entries()) {
    if (one.type !== 'function') continue
    const name = functionNamed(one)
    if (!offers.functions.some(offer => offer.name === name)) {
      reader.fault(`${param}.tools[${at}]`, `names a function that \`tools\` does not offer`)
    }
  }
  if (isListed('file_search') && !offers.searches) {
    reader.fault(`${param}.tools`, 'names file_search, which `tools` does not offer')
  }
  if (offers.searches && !isListed('file_search')) {
    reader.fault(`${param}.tools`, 'must name file_search, or leave it out of `tools`')
  }
  if (inner.mode === 'auto') return { is: 'auto', among }
  if (inner.mode !== 'required') reader.fault(`${param}.mode`, 'must be auto or required')
  const functions = offers.functions.filter(({ name }) => among.has(name))
  const others = listed.flatMap(({ type }) =>
    type === 'function' || type === 'file_search' ? [] : [String(type)],
  )
  return { is: required({ ...offers, functions }, others, param, reader), among }
}

const functionNamed = ({ name, function: inner }: Fields): unknown => (isFields(inner) ? inner.name : name)
