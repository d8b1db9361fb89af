/** What a provider must have, beyond the shape of its fields: an address where one belongs, and a key where one is needed. */
import { type FieldError, ServiceError } from '../../platform/errors.ts'
import { type AddressRule, addressFault } from '../../platform/fetch/addresses.ts'
import type { ProviderKind } from '../../platform/models/providers.ts'

/** The operator's names, and words that stand for models by themselves. */
const reservedNames = ['openai', 'anthropic', 'google', 'atrium', 'default', 'extractive', 'sandbox', 'local']

type ProviderInput = {
  name: string
  kind: ProviderKind
  baseUrl: string | null
  /** Whether there will be a key. */
  hasKey: boolean
  models: readonly { id: string }[]
}

/** Throws one 400 that names all that is wrong; answers the address in the form in which it is kept. */
export function checkProvider(
  isAllowed: AddressRule,
  { name, kind, baseUrl, hasKey, models }: ProviderInput,
): { baseUrl: string | null } {
  const errors: FieldError[] = []
  const fault = (field: string, message: string) => errors.push({ field, message })
  if (reservedNames.includes(name)) fault('name', 'is reserved; choose another')
  const address = baseUrl === null ? null : addressOf(baseUrl, isAllowed)
  if (baseUrl === null && kind === 'openai_compatible') fault('baseUrl', 'is needed for openai_compatible')
  if (baseUrl !== null && (kind === 'openai' || kind === 'google')) {
    fault('baseUrl', `is not possible for ${kind}; choose openai_compatible for another server`)
  } else if (typeof address === 'object' && address !== null) fault('baseUrl', address.fault)
  if (!hasKey && baseUrl === null && kind !== 'openai_compatible') fault('apiKey', `is needed for ${kind}`)
  for (const [index, { id }] of models.entries()) {
    const first = models.findIndex(model => model.id === id)
    if (first < index) fault(`models.${index}.id`, `is the same as models.${first}.id`)
  }
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return { baseUrl: typeof address === 'string' ? address : null }
}

/** Names are looked up when they are called; an address that is written as one is known at once. */
function addressOf(text: string, isAllowed: AddressRule): string | { fault: string } {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { fault: 'must be an address that begins with https:// or http://' }
  }
  if (url.username !== '' || url.password !== '') {
    return { fault: 'must not hold a user name or a password; send the key as apiKey' }
  }
  if (url.search !== '' || url.hash !== '') return { fault: 'must not have a query or a fragment' }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLiteral = /^[\d.]+$/.test(host) || host.includes(':')
  if (isLiteral && !isAllowed(host)) return { fault: addressFault }
  return url.href.replace(/\/+$/, '')
}
