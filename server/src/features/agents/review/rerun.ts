/** Prepares a rerun: the inputs of the original run, and the agent, revision and model that answer them. */
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { invalidField, notFound, ServiceError } from '../../../platform/errors.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import { type AgentRow, findAgent } from '../definitions/agent-store.ts'
import { inputsOf } from '../records/run-inputs.ts'
import { findRun, type RunRow } from '../records/run-store.ts'
import type { Start } from '../runs/run-start.ts'
import type { Rerun } from './rerun-schemas.ts'

/** Throws `conflict` where the agent has been deleted, and a 400 that names `model` where there is no such model. */
export type PrepareRerun = (caller: Caller, runId: string, rerun: Rerun) => Promise<Start>

export function createPrepareRerun(dependencies: {
  database: Database
  models: Pick<WorkspaceModels, 'check'>
}): PrepareRerun {
  const { database, models } = dependencies

  async function checkModel(caller: Caller, model: string): Promise<void> {
    if (!caller.permissions.has('agents:write')) {
      const message = 'To choose the model of a run the key needs the permission agents:write'
      throw new ServiceError('permission_missing', message)
    }
    const fault = await models.check(caller.scope, model)
    if (fault !== null) throw invalidField('model', fault)
  }

  return async (caller, runId, { revision = 'published', model }) => {
    const run = await findRun(caller.scope, database.read, runId)
    if (run === undefined) throw notFound()
    const agent = await findAgent(caller.scope, database.read, run.agent_id)
    if (agent === undefined) throw new ServiceError('conflict', 'The agent of the run has been deleted')
    if (model !== undefined) await checkModel(caller, model)
    return {
      agentId: agent.id,
      wanted: { ...inputsOf(run), revision: numberOf(revision, run, agent) },
      repeated: { run, model: model ?? null },
    }
  }
}

function numberOf(revision: NonNullable<Rerun['revision']>, run: RunRow, agent: AgentRow): number {
  if (typeof revision === 'number') return revision
  return { published: agent.published_revision, same: run.agent_revision, latest: agent.revision }[revision]
}
