/** Settings of a connection to an HTTP API: how it is opened, and where its replies hold the items of a source. */
import type { ConfigFault, ObjectSchema } from '../connector.ts'
import { type HeaderSettings, headerFaults, headerSettings } from '../headers.ts'

export type HttpConfig = HeaderSettings & {
  baseUrl: string
  testPath: string
  list?: ListSettings
  detail?: { path: string; item: string }
  content: ContentSettings
  fields: FieldSettings
}

/** Each pointer into a reply is a JSON pointer (RFC 6901). */
export type ListSettings = {
  path: string
  query: Record<string, string>
  items: string
  id: string
  version?: string
  deleted?: string
  paging: PagingSettings
  since?: { parameter: string; format: 'iso' | 'seconds' | 'milliseconds' }
}

export type PagingSettings = {
  kind: 'none' | 'page' | 'offset' | 'cursor' | 'next' | 'link'
  parameter?: string
  first: number
  size?: number
  sizeParameter?: string
  pointer?: string
  more?: string
  total?: string
}

type ContentSettings = {
  /** The whole item, a text in the item, or the reply of a separate address. */
  from: 'item' | 'field' | 'download'
  field?: string
  path?: string
  format: 'markdown' | 'html' | 'text' | 'json'
}

type FieldSettings = {
  title?: string
  url?: string
  author?: string
  created?: string
  updated?: string
  metadata: Record<string, string>
}

const pointerPattern = '^(/[^/~]*(~[01][^/~]*)*)*$'
const pointer = (description: string, more: object = {}) => ({
  type: 'string',
  pattern: pointerPattern,
  maxLength: 200,
  description,
  ...more,
})
const path = (description: string, example: string) => ({
  type: 'string',
  pattern: '^/',
  maxLength: 1_000,
  description,
  examples: [example],
})
const name = (description: string, more: object = {}) => ({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description,
  ...more,
})

const paging = {
  type: 'object',
  description: 'How the list goes on after its first page.',
  properties: {
    kind: {
      type: 'string',
      enum: ['none', 'page', 'offset', 'cursor', 'next', 'link'],
      default: 'none',
      description:
        'Not at all; by a page number; by an offset; by a cursor in the reply that is sent as a parameter; by an address in the reply; by the Link header.',
    },
    parameter: name(
      'Parameter of the page number, offset or cursor; `page`, `offset` or `cursor` unless given.',
    ),
    first: { type: 'integer', minimum: 0, maximum: 1, default: 1, description: 'Number of the first page.' },
    size: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'Items on a page, as it is asked for.',
    },
    sizeParameter: name('Parameter that asks for the size of a page.', { examples: ['per_page'] }),
    pointer: pointer('Where the reply has the cursor, or the address of the next page.', {
      examples: ['/meta/nextCursor'],
    }),
    more: pointer('Where the reply says whether there is more.', { examples: ['/meta/has_more'] }),
    total: pointer('Where the reply has the number of all items.', { examples: ['/total'] }),
  },
  additionalProperties: false,
}

const list = {
  type: 'object',
  description: 'The list of what becomes documents. Left out where only tools use the connection.',
  properties: {
    path: path('Path of the list, after the base address.', '/articles'),
    query: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 500 },
      maxProperties: 20,
      default: {},
      description: 'Parameters of every request for the list.',
      examples: [{ status: 'published' }],
    },
    items: pointer('Where the reply has the items; empty where the reply is the list itself.', {
      default: '',
      examples: ['/data'],
    }),
    id: pointer('Where an item has its id.', { default: '/id' }),
    version: pointer(
      'Where an item has what changes with it; else its time of change counts, else all of it.',
    ),
    deleted: pointer(
      'Where an item says that it is deleted; anything but null, false, 0 and an empty text does.',
    ),
    paging: { ...paging, default: {} },
    since: {
      type: 'object',
      description: 'How only what changed is asked for; needs fields.updated.',
      properties: {
        parameter: name('Parameter with the time.', { examples: ['updated_after'] }),
        format: {
          type: 'string',
          enum: ['iso', 'seconds', 'milliseconds'],
          default: 'iso',
          description: 'ISO 8601, or so many since 1970.',
        },
      },
      required: ['parameter'],
      additionalProperties: false,
    },
  },
  required: ['path'],
  additionalProperties: false,
}

const detail = {
  type: 'object',
  description: 'Where one item is read, if the list does not hold all of it.',
  properties: {
    path: path('Path of one item; `{id}` stands for its id.', '/articles/{id}'),
    item: pointer('Where the reply has the item; empty where it is the item itself.', { default: '' }),
  },
  required: ['path'],
  additionalProperties: false,
}

const content = {
  type: 'object',
  description: 'What of an item becomes the document.',
  properties: {
    from: {
      type: 'string',
      enum: ['item', 'field', 'download'],
      default: 'item',
      description: 'All of it, a text in it, or the reply of an address of its own.',
    },
    field: pointer('Where the item has the text.', { examples: ['/body'] }),
    path: path('Path of the download; `{id}` stands for the id.', '/files/{id}/content'),
    format: {
      type: 'string',
      enum: ['markdown', 'html', 'text', 'json'],
      default: 'markdown',
      description: 'What the text is; of a whole item, what is made of it: `markdown` or `json`.',
    },
  },
  default: {},
  additionalProperties: false,
}

const fields = {
  type: 'object',
  description: 'Where an item has what is known of it.',
  properties: {
    title: pointer('Its title.', { examples: ['/title'] }),
    url: pointer('The address where a person opens it.'),
    author: pointer('Its author.'),
    created: pointer('When it was made: ISO 8601, or a number since 1970.'),
    updated: pointer('When it was changed last: ISO 8601, or a number since 1970.', {
      examples: ['/updatedAt'],
    }),
    metadata: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,99}$' },
      additionalProperties: pointer(
        'Where the value stands: a text, a number, a yes or no, or a list of texts.',
      ),
      maxProperties: 20,
      default: {},
      description: 'Further metadata by name. `readers` says who may read it.',
      examples: [{ section: '/section/name' }],
    },
  },
  default: {},
  additionalProperties: false,
}

export const httpSchema: ObjectSchema = {
  type: 'object',
  properties: {
    baseUrl: {
      type: 'string',
      minLength: 1,
      maxLength: 2_000,
      description: 'Address that the paths of the API begin with.',
      examples: ['https://api.example.com/v2'],
    },
    ...headerSettings({ Accept: 'application/vnd.example.v2+json' }),
    testPath: {
      type: 'string',
      maxLength: 2_000,
      default: '/',
      description: 'Path under the base address that answers 200 to 299 when the key is right.',
      examples: ['/me'],
    },
    list,
    detail,
    content,
    fields,
  },
  required: ['baseUrl'],
  additionalProperties: false,
}

// Checks what the schema cannot express: which settings belong together, and which addresses and headers are allowed.

export function checkSettings(config: HttpConfig): ConfigFault[] {
  return [...openingFaults(config), ...sourceFaults(config)]
}

function openingFaults(config: HttpConfig): ConfigFault[] {
  const faults = headerFaults(config, false)
  const base = URL.parse(config.baseUrl)
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    faults.push({ field: 'baseUrl', message: 'must be an address that begins with https:// or http://' })
  } else if (base.username !== '' || base.password !== '' || base.search !== '' || base.hash !== '') {
    faults.push({ field: 'baseUrl', message: 'must have no user name, password, query or fragment' })
  }
  return faults
}

function sourceFaults({ list, detail, content, fields }: HttpConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  const demand = (field: string, value: unknown, why: string) => {
    if (value === undefined) faults.push({ field, message: `must be given: ${why}` })
  }
  if (list !== undefined) {
    faults.push(...pagingFaults(list.paging))
    if (list.since !== undefined)
      demand('fields.updated', fields.updated, 'list.since asks for what changed since then')
  } else if (detail !== undefined) {
    faults.push({ field: 'list', message: 'must be given: detail reads the items of a list' })
  }
  if (content.from === 'field') demand('content.field', content.field, 'content.from is field')
  if (content.from === 'download') demand('content.path', content.path, 'content.from is download')
  if (content.from === 'item' && ['html', 'text'].includes(content.format)) {
    faults.push({ field: 'content.format', message: 'must be markdown or json: content.from is item' })
  }
  for (const [field, path] of [
    ['detail.path', detail?.path],
    ['content.path', content.path],
  ] as const) {
    if (path !== undefined && !path.includes('{id}')) faults.push({ field, message: 'must contain {id}' })
  }
  return faults
}

function pagingFaults({ kind, pointer, size, sizeParameter }: PagingSettings): ConfigFault[] {
  const faults: ConfigFault[] = []
  if ((kind === 'cursor' || kind === 'next') && pointer === undefined) {
    const message = `must be given: list.paging.kind is ${kind}`
    faults.push({ field: 'list.paging.pointer', message })
  }
  if (sizeParameter !== undefined && size === undefined) {
    faults.push({
      field: 'list.paging.size',
      message: 'must be given: list.paging.sizeParameter asks for it',
    })
  }
  return faults
}
