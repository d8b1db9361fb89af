import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import { secondMs, toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { randomToken } from '../../../platform/crypto/tokens.ts'
import { newWebhookSecret, secretField } from '../../../platform/crypto/webhook-signatures.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { found } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { NewTrigger, Trigger, TriggerChange } from './starter-schemas.ts'
import { type OfAgent, type TriggerRow, triggerStore } from './starter-store.ts'
import {
  actsFor,
  asReadableRow,
  checkCounts,
  checkStart,
  createStarterVerbs,
  presentError,
  requireWholeAgent,
  type StarterDependencies,
} from './starters.ts'
import { parseTemplate } from './template.ts'

type Dependencies = StarterDependencies & Pick<Platform, 'seals' | 'keyring' | 'publicUrl'>

/** A trigger with its URL and its secret, which are shown only now. */
type MadeTrigger = { row: TriggerRow; url: string; secret: string }

export type TriggerService = ReturnType<typeof createTriggerService>

const tokenBytes = 32
const usualPerMinute = 60

export function createTriggerService(dependencies: Dependencies) {
  return {
    ...createMaking(dependencies),
    ...createStarterVerbs(dependencies, {
      kind: 'trigger',
      store: triggerStore,
      checkChange: checkTemplates,
      columnsOf,
    }),
  }
}

/** The operations that give a trigger its secrets: `create` and `rotate`. */
function createMaking(dependencies: Dependencies) {
  const { database, clock, newId, audit, seals, keyring, publicUrl } = dependencies

  /** Called before the transaction, because sealing reads the workspace's key. */
  async function newSecrets({ scope }: Caller, id: string) {
    const token = `tt_${randomToken(tokenBytes)}`
    const secret = newWebhookSecret()
    const columns = {
      token_hash: keyring.keyedHash('token', token),
      secret: await seals.seal(scope, secretField(id), secret),
    }
    return { shown: { url: `${publicUrl()}/api/v1/triggers/${token}`, secret }, columns }
  }

  return {
    /** Throws a 400 that names an invalid template. Throws like `checkStart` if the caller's run is refused. */
    async create(caller: Caller, agentId: string, wanted: NewTrigger): Promise<MadeTrigger> {
      const { scope } = caller
      const { promptTemplate, variables = {} } = wanted
      const agent = await requireWholeAgent(dependencies, caller, agentId)
      await checkStart(dependencies, caller, agent, variables)
      checkTemplates({ promptTemplate, variables })
      const id = newId('trigger')
      const { shown, columns } = await newSecrets(caller, id)
      const now = clock()
      return database.write(async tx => {
        await takeTurn(tx, `triggers ${scope.workspaceId}`)
        checkCounts('trigger', await triggerStore.count(scope, tx, agentId))
        const row = await triggerStore.insert(scope, tx, {
          id,
          workspace_id: scope.workspaceId,
          environment: scope.environment,
          agent_id: agentId,
          name: wanted.name.trim(),
          prompt_template: promptTemplate,
          variables: encodeJson(variables),
          metadata: encodeJson(wanted.metadata ?? {}),
          status: wanted.status ?? 'active',
          ...actsFor(caller),
          ...columns,
          require_signature: wanted.requireSignature === true ? 1 : 0,
          requests_per_minute: wanted.requestsPerMinute ?? usualPerMinute,
          created_at: now,
          updated_at: now,
          revision: 1,
        })
        const details = { agentId, name: row.name }
        await audit.record(tx, caller, { action: 'trigger.create', resourceId: id, details })
        return { row, ...shown }
      })
    },

    /** Makes a new URL and secret; the old ones work for `overlapSeconds`. The trigger then acts for the caller. */
    async rotate(caller: Caller, which: OfAgent, overlapSeconds: number): Promise<MadeTrigger> {
      const { scope } = caller
      const { agentId, id } = which
      const agent = await requireWholeAgent(dependencies, caller, agentId)
      const before = found(await triggerStore.find(scope, database.read, which))
      await checkStart(dependencies, caller, agent, decodeJson(before.variables))
      const { shown, columns } = await newSecrets(caller, id)
      const made = await database.write(async tx => {
        const row = found(await triggerStore.lock(scope, tx, which))
        const now = clock()
        const overlap =
          overlapSeconds === 0
            ? { previous_token_hash: null, previous_secret: null, previous_expires_at: null }
            : {
                previous_token_hash: row.token_hash,
                previous_secret: row.secret,
                previous_expires_at: now + overlapSeconds * secondMs,
              }
        const change = { ...columns, ...overlap, ...actsFor(caller), updated_at: now }
        const updated = await triggerStore.update(scope, tx, id, change)
        const details = { agentId, overlapSeconds }
        await audit.record(tx, caller, { action: 'trigger.rotate', resourceId: id, details })
        return updated
      })
      return { row: await asReadableRow(dependencies, caller, made), ...shown }
    },
  }
}

function checkTemplates({ promptTemplate, variables = {} }: TriggerChange): void {
  if (promptTemplate !== undefined) parseTemplate(promptTemplate, 'promptTemplate')
  for (const [name, template] of Object.entries(variables)) parseTemplate(template, `variables.${name}`)
}

const columnsOf = (
  row: TriggerRow,
  {
    name,
    promptTemplate,
    variables,
    metadata,
    requireSignature,
    requestsPerMinute,
    status = row.status,
  }: Omit<TriggerChange, 'status'> & { status?: TriggerRow['status'] },
) =>
  withoutUndefined({
    name: name?.trim(),
    prompt_template: promptTemplate,
    variables: variables === undefined ? undefined : encodeJson(variables),
    metadata: metadata === undefined ? undefined : encodeJson(metadata),
    require_signature:
      requireSignature === undefined ? undefined : requireSignature ? (1 as const) : (0 as const),
    requests_per_minute: requestsPerMinute,
    status,
    stopped_reason: status === 'stopped' ? row.stopped_reason : null,
  })

export const presentTrigger = (row: TriggerRow): Trigger => ({
  id: row.id,
  agentId: row.agent_id,
  environment: row.environment,
  name: row.name,
  promptTemplate: row.prompt_template,
  variables: decodeJson(row.variables),
  metadata: decodeJson(row.metadata),
  requireSignature: row.require_signature === 1,
  requestsPerMinute: row.requests_per_minute,
  status: row.status,
  stoppedReason: row.stopped_reason,
  actsForUserId: row.user_id,
  lastRunId: row.last_run_id,
  lastRunAt: toOptionalTimestamp(row.last_run_at),
  lastError: presentError(row.last_error),
  previousExpiresAt: toOptionalTimestamp(row.previous_expires_at),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})
