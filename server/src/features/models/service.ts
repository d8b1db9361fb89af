/**
 * The operations on a workspace's own model providers: create, change, test, delete. Their keys are never returned.
 */
import { withoutTrailing } from '@atrium/connectors/trim'
import type { Caller, Scope } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Seals } from '../../platform/crypto/seals.ts'
import { takeTurn } from '../../platform/database/between-processes.ts'
import type { Database, Query, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { type FieldError, found, invalidField, limitReached, ServiceError } from '../../platform/errors.ts'
import { type AddressRule, addressFault } from '../../platform/fetch/connector.ts'
import type { NewId } from '../../platform/ids.ts'
import type { ModelError } from '../../platform/models/model-error.ts'
import { isModelPart, type ProviderKind } from '../../platform/models/providers.ts'
import { checkRevision, type Deletion } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import { forgetLearned, learnedOf } from './learned-store.ts'
import { apiKeyField, type ProviderModels, testCall } from './provider-models.ts'
import type { ModelProvider, ModelProviderChange, ModelProviderTest, NewModelProvider } from './schemas.ts'
import {
  countProviders,
  deleteProvider,
  findProvider,
  findProviderByName,
  insertProvider,
  listProviders,
  lockProvider,
  type ProviderRow,
  updateProvider,
} from './store.ts'

export type ModelProviderService = ReturnType<typeof createModelProviderService>

const maxProviders = 20

interface Dependencies {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  seals: Seals
  providerModels: ProviderModels
  /** Decides which addresses from the API may be called. */
  isAllowed: AddressRule
}

export function createModelProviderService(dependencies: Dependencies) {
  const { database, clock, newId, audit, seals, providerModels, isAllowed } = dependencies

  const sealed = (caller: Caller, id: string, apiKey: string | null) =>
    apiKey === null ? null : seals.seal(caller.scope, apiKeyField(id), apiKey)

  async function lock(caller: Caller, tx: Tx, id: string, ifMatch: string | null): Promise<ProviderRow> {
    const row = found(await lockProvider(caller.scope, tx, id))
    checkRevision(ifMatch, row)
    return row
  }

  return {
    async list(caller: Caller, page: PageRequest): Promise<Page<TaughtProvider>> {
      const { items, ...rest } = await listProviders(caller.scope, database.read, page)
      return { ...rest, items: await withLearned(database.read, items) }
    },
    async get(caller: Caller, id: string): Promise<TaughtProvider> {
      const row = found(await findProvider(caller.scope, database.read, id))
      return { ...row, learned: await learnedOf(database.read, [id]) }
    },
    /** Makes no call. Throws 400 if fields do not fit together, and `already_exists` if the name is taken. */
    async create(
      caller: Caller,
      { name, kind, baseUrl: wantedUrl = null, apiKey = null, models = [] }: NewModelProvider,
    ): Promise<TaughtProvider> {
      const hasKey = apiKey !== null
      const { baseUrl } = checkProvider(isAllowed, { name, kind, baseUrl: wantedUrl, hasKey, models })
      const id = newId('modelProvider')
      const row: ProviderRow = {
        id,
        workspace_id: caller.scope.workspaceId,
        name,
        kind,
        base_url: baseUrl,
        api_key: await sealed(caller, id, apiKey),
        api_key_ending: endingOf(apiKey),
        models: encodeJson(models),
        created_by: caller.userId,
        created_at: clock(),
        updated_at: clock(),
        revision: 1,
      }
      return database.write(async tx => {
        await takeTurn(tx, turnOf(caller))
        if ((await countProviders(caller.scope, tx)) >= maxProviders) {
          const message = `A workspace has at most ${maxProviders} model providers`
          throw limitReached('model providers', maxProviders, message)
        }
        await requireFreeName(caller.scope, tx, name, id)
        await insertProvider(caller.scope, tx, row)
        const details = { name, kind, baseUrl }
        await audit.record(tx, caller, { action: 'model_provider.create', resourceId: id, details })
        return { ...row, learned: [] }
      })
    },
    /** A stored key never goes to another address: a change of the address must include the key again. */
    async update(
      caller: Caller,
      id: string,
      change: ModelProviderChange,
      ifMatch: string | null,
    ): Promise<TaughtProvider> {
      found(await findProvider(caller.scope, database.read, id))
      const apiKey = await sealed(caller, id, change.apiKey ?? null)
      return database.write(async tx => {
        await takeTurn(tx, turnOf(caller))
        const row = await lock(caller, tx, id, ifMatch)
        const at = { updated_at: clock(), revision: row.revision + 1 }
        const columns = { ...changed(isAllowed, row, change, apiKey), ...at }
        await requireFreeName(caller.scope, tx, columns.name ?? row.name, id)
        await updateProvider(caller.scope, tx, id, columns)
        // Another address is another server.
        const isForgotten = change.learned !== undefined || columns.base_url !== row.base_url
        if (isForgotten) await forgetLearned(tx, id)
        const details = { name: row.name, fields: Object.keys(change) }
        await audit.record(tx, caller, { action: 'model_provider.update', resourceId: id, details })
        return { ...row, ...columns, learned: await learnedOf(tx, [id]) }
      })
    },
    /** Agents that name one of its models then fail with `model_not_configured`. */
    remove: (caller: Caller, id: string, { ifMatch, dryRun }: Deletion): Promise<void> =>
      database.write(async tx => {
        const { name } = await lock(caller, tx, id, ifMatch)
        if (dryRun) return
        await forgetLearned(tx, id)
        await deleteProvider(caller.scope, tx, id)
        await audit.record(tx, caller, { action: 'model_provider.delete', resourceId: id, details: { name } })
      }),
    /** Calls a model once. Throws a 400 if no model is named and the provider lists none. */
    async test(
      caller: Caller,
      id: string,
      { model: asked, signal }: { model?: string; signal: AbortSignal },
    ): Promise<ModelProviderTest> {
      const row = found(await findProvider(caller.scope, database.read, id))
      const name = asked ?? (await providerModels.names(caller.scope, row))[0]
      if (name === undefined || !isModelPart(name, row.kind)) {
        throw invalidField('model', 'Name a model of the provider: none is listed, and its server names none')
      }
      const model = await providerModels.resolve(caller.scope, row, name)
      const { error, durationMs } = await testCall(model, { clock, signal })
      await database.write(tx =>
        audit.record(tx, caller, {
          action: 'model_provider.test',
          resourceId: id,
          details: { name: row.name, model: name, error: error?.code ?? null },
        }),
      )
      return presentTest(model.name, error, durationMs, clock())
    },
  }
}

const presentTest = (
  model: string,
  error: ModelError | null,
  durationMs: number,
  checkedAt: number,
): ModelProviderTest => ({
  ok: error === null,
  model,
  error: error === null ? null : { code: error.code, message: error.message, retryable: error.retryable },
  durationMs,
  checkedAt: toTimestamp(checkedAt),
})

/** The columns of the changed row, with the encrypted key; throws a 400 if the fields do not fit together. */
function changed(
  isAllowed: AddressRule,
  row: ProviderRow,
  change: ModelProviderChange,
  apiKey: string | null,
): Partial<ProviderRow> {
  const { name = row.name, models = decodeJson(row.models) } = change
  const wanted = change.baseUrl === undefined ? row.base_url : change.baseUrl
  const hasKey = change.apiKey === undefined ? row.api_key !== null : change.apiKey !== null
  const { baseUrl } = checkProvider(isAllowed, { name, kind: row.kind, baseUrl: wanted, hasKey, models })
  if (baseUrl !== row.base_url && row.api_key !== null && change.apiKey === undefined) {
    throw invalidField(
      'apiKey',
      'must be sent again when baseUrl changes: a stored key goes to no other address',
    )
  }
  return {
    name,
    base_url: baseUrl,
    models: encodeJson(models),
    api_key: change.apiKey === undefined ? row.api_key : apiKey,
    api_key_ending: change.apiKey === undefined ? row.api_key_ending : endingOf(change.apiKey),
  }
}

async function withLearned(query: Query, rows: readonly ProviderRow[]): Promise<TaughtProvider[]> {
  const ids = rows.map(({ id }) => id)
  const learned = ids.length === 0 ? [] : await learnedOf(query, ids)
  return rows.map(row => ({ ...row, learned: learned.filter(({ provider }) => provider === row.id) }))
}

/** A provider with what was learned of its models. */
type TaughtProvider = ProviderRow & { learned: Awaited<ReturnType<typeof learnedOf>> }

export const presentProvider = (row: TaughtProvider): ModelProvider => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  baseUrl: row.base_url,
  apiKeyEnding: row.api_key_ending,
  models: decodeJson(row.models),
  learned: row.learned.map(({ model, field, instead, because, learned_at: learnedAt }) => ({
    model,
    field,
    instead,
    because,
    learnedAt: toTimestamp(learnedAt),
  })),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

/** Four characters tell keys apart; of a short key, four would reveal too much. */
const endingOf = (apiKey: string | null): string | null =>
  apiKey === null ? null : apiKey.length < 16 ? '' : apiKey.slice(-4)

const turnOf = ({ scope }: Caller): string => `model providers ${scope.workspaceId}`

/** Throws `already_exists` if another provider than `id` has the name. Others wait for their turn meanwhile. */
async function requireFreeName(scope: Scope, tx: Tx, name: string, id: string): Promise<void> {
  const named = await findProviderByName(scope, tx, name)
  if (named === undefined || named.id === id) return
  throw new ServiceError(
    'already_exists',
    `There is a model provider with the name ${JSON.stringify(name)} already`,
    { details: { resource: 'model_provider', field: 'name', id: named.id } },
  )
}

// Rules for a provider beyond the shape of its fields: which kinds need or allow an address, and which need a key.

/** The operator's names, and words that already stand for models. */
const reservedNames = ['openai', 'anthropic', 'google', 'atrium', 'default', 'extractive', 'sandbox', 'local']

type ProviderInput = {
  name: string
  kind: ProviderKind
  baseUrl: string | null
  /** Whether the provider has a key after the change. */
  hasKey: boolean
  models: readonly { id: string }[]
}

/** Throws one 400 that names every fault; returns the address in its stored form. */
function checkProvider(
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
    if (!isModelPart(id, kind)) fault(`models.${index}.id`, `is no name that ${kind} could have`)
    if (first < index) fault(`models.${index}.id`, `is the same as models.${first}.id`)
  }
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return { baseUrl: typeof address === 'string' ? address : null }
}

/** A host name is checked when it is called; a literal IP address is checked at once. */
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
  return withoutTrailing(url.href, '/')
}
