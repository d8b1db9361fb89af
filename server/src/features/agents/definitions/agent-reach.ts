/** How far an agent reaches, and who may therefore change it: a narrowed caller only if it reaches all of that. */
import { type Caller, isNarrowed, type Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { forbidden } from '../../../platform/errors.ts'
import { bothLists } from '../../../platform/narrowing.ts'
import type { FindConnections } from '../../integrations/connections/service.ts'
import { type RevisionReach, type RevisionToRun, revisionToRun } from './agent-content.ts'
import type { AgentContent } from './agent-fields.ts'
import type { AgentRow } from './agent-store.ts'

/** The content of a revision, and the reach that its writer gave it. */
type Reaching = { content: AgentContent; reach: RevisionReach }

export type AgentReach = ReturnType<typeof createAgentReach>

export function createAgentReach({ findConnections }: { findConnections: FindConnections }) {
  /** Throws 403 if one of the revisions names or searches what a narrowed caller does not reach. Tells no ids. */
  async function checkRevisions(scope: Scope, query: Query, revisions: readonly Reaching[]): Promise<void> {
    if (!isNarrowed(scope)) return
    const beyond = [
      ...(revisions.every(one => isWithin(searchedBy(one), scope.collectionIds)) ? [] : ['collections']),
      ...(revisions.every(({ content }) => isWithin(content.agentIds, scope.agentIds)) ? [] : ['agents']),
      ...((await namesOtherConnections(scope, query, revisions)) ? ['connections'] : []),
    ]
    if (beyond.length === 0) return
    throw forbidden(
      'record',
      `The agent uses ${beyond.join(', ')} that the key does not reach, so the key cannot change it. Use a key without \`agentIds\` and \`collectionIds\`, or let an owner or admin do it in the console.`,
    )
  }

  async function namesOtherConnections(
    scope: Scope,
    query: Query,
    revisions: readonly Reaching[],
  ): Promise<boolean> {
    const ids = [...new Set(revisions.flatMap(({ content }) => content.connectionIds))]
    const { workspaceId, environment } = scope
    const present = await findConnections({ workspaceId, environment }, ids, query)
    // A connection that has ended serves no agent.
    return present.length > (await findConnections(scope, ids, query)).length
  }

  return {
    checkRevisions,
    /**
     * Throws 403 if the agent reaches further than a narrowed caller: by its published revision, by its latest one, or
     * by one of `others`.
     */
    async checkAgent(
      { scope }: Pick<Caller, 'scope'>,
      query: Query,
      agent: AgentRow,
      others: readonly RevisionToRun[] = [],
    ): Promise<void> {
      if (!isNarrowed(scope)) return
      const published = await revisionToRun(scope, query, agent)
      const latest = await revisionToRun(scope, query, agent, agent.revision)
      await checkRevisions(scope, query, [published, latest, ...others])
    },
  }
}

/** The named collections. If there are none, the revision searches all that its reach allows; null means all. */
const searchedBy = ({ content: { collectionIds }, reach }: Reaching): RevisionReach =>
  collectionIds.length === 0 ? reach : collectionIds

const isWithin = (ids: readonly string[] | null, allowed: readonly string[] | undefined): boolean =>
  allowed === undefined || ids?.every(id => allowed.includes(id)) === true

/** The reach of a revision that the caller writes from `basis`; of none, if it writes a first one. */
export function reachWrittenBy({ scope }: Pick<Caller, 'scope'>, basis: RevisionReach): RevisionReach {
  return bothLists(scope.collectionIds?.toSorted() ?? null, basis)
}
