/** Which revision of an agent a run works with. */
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { invalidField } from '../../../platform/errors.ts'
import { contentOf, decodeContent } from './agent-content.ts'
import type { AgentContent } from './agent-fields.ts'
import { type AgentRow, findRevision } from './agent-store.ts'

export type RevisionToRun = { revision: number; content: AgentContent }

/** The published revision unless one is named. Throws a 400 that names the field where there is none of that number. */
export async function revisionToRun(
  scope: Scope,
  query: Query,
  agent: AgentRow,
  named?: number,
  field = 'revision',
): Promise<RevisionToRun> {
  const revision = named ?? agent.published_revision
  // The latest stands in the agent's row: no query where that is the one.
  if (revision === agent.revision) return { revision, content: contentOf(agent) }
  const row = await findRevision(scope, query, agent.id, revision)
  if (row === undefined) throw invalidField(field, 'The agent has no revision of this number')
  return { revision, content: decodeContent(row.content) }
}
