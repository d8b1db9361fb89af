/** What becomes of an agent that is there: changed with a revision each time, published, deleted. */
import { type Caller, isNarrowed } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { invalidField, notFound, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { AccessChange } from '../../workspaces/teams/access-schemas.ts'
import { type AccessService, accessChange } from '../../workspaces/teams/access-service.ts'
import { type AgentCheck, type ConnectionCheck, checkIdCounts, checkTogether } from './agent-check.ts'
import { type ContentChange, changed, columnsOf, contentOf } from './agent-content.ts'
import type { AgentChange, Publication } from './agent-schemas.ts'
import { type AgentRow, findAgent, insertRevision, lockAgent, updateAgent } from './agent-store.ts'
import { revisionToRun } from './agent-to-run.ts'
import { idsOf, type ReachedContents, withUnreached } from './reached-content.ts'

export type AgentChanges = {
  /** A change of the status, or of who reaches it, makes no revision, and publishes none. */
  update(caller: Caller, id: string, change: AgentChange, ifMatch: string | null): Promise<AgentRow>
  /**
   * Throws a 400 that names `revision` where the agent has none of this number. A narrowed key publishes a new revision of it,
   * with those ids beyond the key's reach that are published now: no other revision shows or changes them.
   */
  publish(caller: Caller, id: string, wanted: Publication, ifMatch: string | null): Promise<AgentRow>
  /** The agent is gone for everyone; its runs keep their records, and those under way go on to their end. */
  remove(caller: Caller, id: string, options: { ifMatch: string | null; dryRun: boolean }): Promise<void>
}

/** Each may hold instructions of 50,000 characters, and none can be deleted: runs name them. */
const maxRevisions = 10_000

type Revising = { change: ContentChange; fromRevision: number | undefined; publish: boolean | undefined }

export function createAgentChanges(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  access: AccessService
  check: AgentCheck
  checkConnections: ConnectionCheck
  reachedContents: ReachedContents
}): AgentChanges {
  const { database, clock, newId, audit, access, check, checkConnections, reachedContents } = dependencies

  const changedNow = (agent: AgentRow) => ({ change_count: agent.change_count + 1, updated_at: clock() })

  /** Answers the row as it becomes; its revision is kept. */
  async function revise(
    caller: Caller,
    tx: Tx,
    agent: AgentRow,
    { change, fromRevision, publish = true }: Revising,
  ): Promise<AgentRow> {
    if (agent.revision >= maxRevisions) throw tooManyRevisions()
    const basisRevision = fromRevision ?? agent.revision
    // A draft keeps what the latest revision has, and what is published keeps what is published now.
    const keptRevision = publish ? agent.published_revision : agent.revision
    const basis = (await revisionToRun(caller.scope, tx, agent, basisRevision, 'fromRevision')).content
    const present = (await revisionToRun(caller.scope, tx, agent, keptRevision)).content
    const [reached = basis, reachedNow = present] = await reachedContents(caller.scope, [basis, present], tx)
    // What the caller is not shown stays as it is: another revision neither brings it back nor takes it away.
    const wanted = basisRevision === keptRevision ? change : { ...idsOf(reached), ...change }
    const content = changed(basis, withUnreached(wanted, present, reachedNow))
    checkTogether(content)
    checkIdCounts(content)
    // A bound connection that has ended since must not block changes to other fields.
    const isBoundAgain = basisRevision !== keptRevision || 'tools' in change || 'connectionIds' in change
    // A tool that the agent has may use a connection that the caller is not shown.
    const isServedBeyond = reachedNow.connectionIds.length < present.connectionIds.length
    const tools = isServedBeyond ? content.tools.filter(name => !present.tools.includes(name)) : content.tools
    if (isBoundAgain) await checkConnections(caller.scope, tx, { ...content, tools })
    const revision = agent.revision + 1
    const published = publish ? { published_revision: revision } : {}
    const next = { ...agent, ...columnsOf(content), revision, ...published }
    await keepRevision(newId, caller, tx, next)
    return next
  }

  async function lock(caller: Caller, tx: Tx, id: string, ifMatch: string | null): Promise<AgentRow> {
    const agent = (await lockAgent(caller.scope, tx, database.engine, id)) ?? missing()
    checkRevision(ifMatch, { id, revision: agent.change_count })
    return agent
  }

  /** Answers the column of the agent's row; what it does is undone with the transaction where the agent has changed. */
  async function changeAccess(
    caller: Caller,
    tx: Tx,
    id: string,
    wanted: AccessChange,
  ): Promise<Partial<Pick<AgentRow, 'access'>>> {
    const after = await access.prepare(caller, tx, wanted, async () => {
      const agent = (await findAgent(caller.scope, tx, id)) ?? missing()
      const teamsOf = await access.teamsOf(tx, 'agent', [agent])
      return { access: agent.access, teamIds: teamsOf(id) }
    })
    if (after === null) return {}
    await access.write(tx, 'agent', id, after)
    return { access: after.access }
  }

  return {
    async update(
      caller,
      id,
      { status, access: wantedAccess, teamIds, fromRevision, publish, ...change },
      ifMatch,
    ) {
      const isRevised = fromRevision !== undefined || Object.keys(change).length > 0
      if (!isRevised && publish !== undefined) throw nothingToPublish()
      await check(caller.scope, change, id)
      return database.write(async tx => {
        const reached = await changeAccess(caller, tx, id, accessChange(wantedAccess, teamIds))
        const agent = await lock(caller, tx, id, ifMatch)
        const switched = { ...agent, status: status ?? agent.status, ...reached, ...changedNow(agent) }
        const next = isRevised
          ? await revise(caller, tx, switched, { change, fromRevision, publish })
          : switched
        await updateAgent(caller.scope, tx, id, next)
        const fields = [
          ...Object.keys(change),
          ...(status === undefined ? [] : ['status']),
          ...Object.keys({ ...reached }),
        ]
        const details = { fields, revision: next.revision, publishedRevision: next.published_revision }
        await audit.record(tx, caller, { action: 'agent.update', resourceId: id, details })
        return next
      })
    },
    publish: (caller, id, { revision }, ifMatch) =>
      database.write(async tx => {
        const agent = await lock(caller, tx, id, ifMatch)
        await revisionToRun(caller.scope, tx, agent, revision)
        const switched = { ...agent, ...changedNow(agent) }
        const next = isNarrowed(caller.scope)
          ? await revise(caller, tx, switched, { change: {}, fromRevision: revision, publish: true })
          : { ...switched, published_revision: revision }
        await updateAgent(caller.scope, tx, id, next)
        const details = { revision: next.published_revision, before: agent.published_revision }
        await audit.record(tx, caller, { action: 'agent.publish', resourceId: id, details })
        return next
      }),
    remove: (caller, id, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const agent = await lock(caller, tx, id, ifMatch)
        if (dryRun) return
        await updateAgent(caller.scope, tx, id, { ...changedNow(agent), deleted_at: clock() })
        const { name } = agent
        await audit.record(tx, caller, { action: 'agent.delete', resourceId: id, details: { name } })
      }),
  }
}

/** Writes down what the agent's row holds as its latest revision. */
export async function keepRevision(newId: NewId, caller: Caller, tx: Tx, row: AgentRow): Promise<void> {
  await insertRevision(caller.scope, tx, {
    id: newId('revision'),
    agent_id: row.id,
    workspace_id: row.workspace_id,
    environment: row.environment,
    revision: row.revision,
    content: encodeJson(contentOf(row)),
    created_by: caller.userId,
    created_at: row.updated_at,
  })
}

const nothingToPublish = (): ServiceError =>
  invalidField(
    'publish',
    'needs fields to change; POST /agents/:id/publish publishes a revision that is there',
  )

const tooManyRevisions = (): ServiceError =>
  new ServiceError('conflict', `An agent has at most ${maxRevisions} revisions; make a new agent of it`)

const missing = (): never => {
  throw notFound()
}
