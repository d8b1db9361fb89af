/** Any HTTP API that is opened by a key in a header. */
import Type, { type Static } from 'typebox'
import type { FieldError } from '../../../../platform/errors.ts'
import type { Config, Manifest } from '../../manifest.ts'

const HttpConfig = Type.Object(
  {
    baseUrl: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Address that the paths of the API begin with.',
      examples: ['https://api.example.com/v2'],
    }),
    header: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{1,64}$',
        default: 'Authorization',
        description: 'Header that carries the key.',
      }),
    ),
    scheme: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{0,32}$',
        default: 'Bearer',
        description: 'Word before the key in the header; empty for the key alone.',
      }),
    ),
    testPath: Type.Optional(
      Type.String({
        maxLength: 2_000,
        default: '/',
        description: 'Path under the base address that answers 200 to 299 when the key is right.',
        examples: ['/me'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const http: Manifest = {
  id: 'http',
  name: 'HTTP API',
  description: 'Any HTTP API that is opened by an API key in a header.',
  category: 'custom',
  documentationUrl: null,
  auth: {
    kind: 'api_key',
    header: (config, apiKey) => {
      const { header, scheme } = read(config)
      return { [header]: scheme === '' ? apiKey : `${scheme} ${apiKey}` }
    },
  },
  configSchema: HttpConfig,
  checkConfig: config => checkHttpConfig(read(config)),
  capabilities: [],
  probe: {
    request: config => ({ url: testUrl(read(config)) }),
    blamedField: 'config.testPath',
    account: {
      from: 'config',
      read: config => {
        const url = new URL(read(config).baseUrl)
        return { id: url.href, name: url.host }
      },
    },
  },
}

type HttpConfig = Required<Static<typeof HttpConfig>>

/** The one place where a config takes on the type of the schema that it was validated with, which filled in defaults. */
const read = (config: Config): HttpConfig => config as HttpConfig

// What frames the message or names its target belongs to the HTTP client.
const reservedHeaders = ['connection', 'content-length', 'host', 'te', 'transfer-encoding', 'upgrade']

function checkHttpConfig(config: HttpConfig): FieldError[] {
  const errors: FieldError[] = []
  if (reservedHeaders.includes(config.header.toLowerCase())) {
    errors.push({ field: 'header', message: 'is a header that cannot carry a key' })
  }
  const base = URL.parse(config.baseUrl)
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    errors.push({ field: 'baseUrl', message: 'must be an address that begins with https:// or http://' })
  } else if (base.username !== '' || base.password !== '' || base.search !== '' || base.hash !== '') {
    errors.push({ field: 'baseUrl', message: 'must have no user name, password, query or fragment' })
  }
  return errors
}

/** The test path below the base address, whether or not the one ends and the other begins with a slash. */
const testUrl = ({ baseUrl, testPath }: HttpConfig): string =>
  `${baseUrl.replace(/\/+$/, '')}/${testPath.replace(/^\//, '')}`
