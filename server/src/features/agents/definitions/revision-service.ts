/** The operations on revisions: show their content, their authors, and what each revision changed. */

import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found } from '../../../platform/errors.ts'
import { decodeContent, type ReachedContents, type RevisionReach, reachOf } from './agent-content.ts'
import type { AgentContent } from './agent-fields.ts'
import type { AgentRevision, AgentRevisionDetail, FieldChange } from './agent-schemas.ts'
import {
  type AgentRow,
  findAgent,
  findRevision,
  listRevisions,
  type RevisionRow,
  revisionsNumbered,
} from './agent-store.ts'

export type RevisionService = ReturnType<typeof createRevisionService>

export function createRevisionService({
  database,
  reachedContents,
}: {
  database: Database
  reachedContents: ReachedContents
}) {
  const { read } = database

  const agentOf = async (caller: Caller, id: string): Promise<AgentRow> =>
    found(await findAgent(caller.scope, read, id))

  return {
    async list(caller: Caller, agentId: string, page: PageRequest): Promise<Page<AgentRevision>> {
      const agent = await agentOf(caller, agentId)
      const { items, total } = await listRevisions(caller.scope, read, agentId, page)
      const before = await revisionsNumbered(
        caller.scope,
        read,
        agentId,
        items.map(({ revision }) => revision - 1),
      )
      const rows = [...items, ...before]
      const reached = await reachedContents(
        caller.scope,
        rows.map(row => decodeContent(row.content)),
      )
      const contents = new Map(rows.map((row, index) => [row.revision, reached[index]] as const))
      const present = (row: RevisionRow): AgentRevision => {
        const changes = changesOf(contents.get(row.revision - 1), contents.get(row.revision))
        return summaryOf(agent, row, changes)
      }
      return { items: items.map(present), total }
    },
    /** The collections that the runs of a revision reach at most. */
    async reach({ scope }: Caller, agentId: string, revision: number): Promise<RevisionReach> {
      return reachOf(found(await findRevision(scope, read, agentId, revision)))
    },
    async get(caller: Caller, agentId: string, revision: number): Promise<AgentRevisionDetail> {
      const agent = await agentOf(caller, agentId)
      const rows = await revisionsNumbered(caller.scope, read, agentId, [revision, revision - 1])
      const row = found(rows.find(one => one.revision === revision))
      const before = rows.find(one => one.revision === revision - 1)
      const decoded = [row, ...(before === undefined ? [] : [before])].map(one => decodeContent(one.content))
      const [first, contentBefore] = await reachedContents(caller.scope, decoded)
      const content = found(first)
      const changes = changesOf(contentBefore, content)
      return { ...summaryOf(agent, row, changes), content, changes }
    },
  }
}

const summaryOf = (agent: AgentRow, row: RevisionRow, changes: readonly FieldChange[]): AgentRevision => ({
  id: row.id,
  agentId: agent.id,
  revision: row.revision,
  isPublished: row.revision === agent.published_revision,
  changedFields: changes.map(({ field }) => field),
  createdBy: row.created_by,
  createdAt: toTimestamp(row.created_at),
})

/** Empty for the first revision. */
const changesOf = (before: AgentContent | undefined, after: AgentContent | undefined): FieldChange[] =>
  before === undefined || after === undefined ? [] : fieldChanges(before, after)

/** The changes in the order of the fields; a missing field is null. */
export function fieldChanges(before: object, after: object): FieldChange[] {
  const [old, fresh] = [new Map<string, unknown>(Object.entries(before)), Object.entries(after)]
  const fields = new Map<string, unknown>([...old.keys()].map(field => [field, null]))
  for (const [field, value] of fresh) fields.set(field, value)
  return [...fields]
    .map(([field, value]) => ({ field, before: old.get(field) ?? null, after: value ?? null }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}
