/** Settings of a connection to a website: where it begins, how far it goes, and what it leaves out. */
import type { ConfigFault, ObjectSchema } from '../connector.ts'

export type WebsiteConfig = {
  url: string
  pathPrefix?: string
  exclude: string[]
  discover: 'auto' | 'sitemap' | 'links'
  documents: boolean
  maxPages: number
  maxDepth: number
}

export const websiteSchema: ObjectSchema = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: 1_000,
      description: 'Address of the first page. Only pages of the same host are read.',
      examples: ['https://docs.example.com/'],
    },
    pathPrefix: {
      type: 'string',
      pattern: '^/[^?#]*$',
      maxLength: 500,
      description:
        'Only pages whose path begins so are read; where it is left out, those below the path of the first page.',
      examples: ['/guide'],
    },
    exclude: {
      type: 'array',
      items: { type: 'string', pattern: '^/', maxLength: 200 },
      maxItems: 50,
      default: [],
      description: 'Paths whose pages are left out, with everything below; `*` stands for any text.',
      examples: [['/guide/archive', '/*/print']],
    },
    discover: {
      type: 'string',
      enum: ['auto', 'sitemap', 'links'],
      default: 'auto',
      description: 'How pages are found: by the sitemap, by links, or by links where there is no sitemap.',
    },
    documents: {
      type: 'boolean',
      default: false,
      description: 'Whether PDF, Office and text files that pages link to are read too.',
    },
    maxPages: {
      type: 'integer',
      minimum: 1,
      maximum: 5_000,
      default: 500,
      description: 'So many pages at most; those that are fewer links away from the first one win.',
    },
    maxDepth: {
      type: 'integer',
      minimum: 0,
      maximum: 50,
      default: 10,
      description: 'Links are followed so many times from the first page on.',
    },
  },
  required: ['url'],
  additionalProperties: false,
}

export function checkWebsiteConfig({ url: text }: WebsiteConfig): ConfigFault[] {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return [{ field: 'url', message: 'must be an address that begins with https:// or http://' }]
  }
  if (url.username !== '' || url.password !== '') {
    return [{ field: 'url', message: 'must have no user name and no password' }]
  }
  return []
}
