/** A public website. */
import Type, { type Static } from 'typebox'
import type { FieldError } from '../../../../platform/errors.ts'
import type { Config, Manifest } from '../../manifest.ts'

const WebsiteConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Address of the first page.',
      examples: ['https://docs.example.com/'],
    }),
  },
  { additionalProperties: false },
)

export const website: Manifest = {
  id: 'website',
  name: 'Website',
  description: 'The pages of a public website.',
  category: 'web',
  documentationUrl: null,
  auth: { kind: 'none' },
  configSchema: WebsiteConfig,
  checkConfig: config => checkWebsiteConfig(read(config)),
  capabilities: [],
  probe: {
    request: config => ({ url: read(config).url, headers: { accept: 'text/html, */*;q=0.5' } }),
    blamedField: 'config.url',
    account: {
      from: 'config',
      read: config => {
        const url = new URL(read(config).url)
        return { id: url.href, name: url.host }
      },
    },
  },
}

/** The one place where a config takes on the type of the schema that it was validated with. */
const read = (config: Config): Static<typeof WebsiteConfig> => config as Static<typeof WebsiteConfig>

function checkWebsiteConfig({ url: text }: Static<typeof WebsiteConfig>): FieldError[] {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return [{ field: 'url', message: 'must be an address that begins with https:// or http://' }]
  }
  if (url.username !== '' || url.password !== '') {
    return [{ field: 'url', message: 'must have no user name and no password' }]
  }
  return []
}
