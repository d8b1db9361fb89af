/** The endpoints of an agent's revisions. */

import { defineRoute, listed, ok, type Route, standardList } from '../../../http/route.ts'
import { notFound } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { Agent, agentExample, Publication } from './agent-schemas.ts'
import { type AgentService, agentEtag } from './agent-service.ts'
import {
  AgentRevision,
  AgentRevisionDetail,
  revisionDetailExample,
  revisionExample,
} from './revision-schemas.ts'
import type { RevisionService } from './revision-service.ts'

export const revisionRoutes = (revisions: RevisionService, agents: AgentService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/:id/revisions',
    operationId: 'listAgentRevisions',
    tag: 'agents',
    summary: "List an agent's revisions",
    description: 'Every revision of the agent, newest first: who made it, when, and which fields it changed.',
    permission: 'agents:read',
    list: standardList,
    data: Type.Array(AgentRevision),
    example: [revisionExample],
    success: [200],
    errors: [],
    handle: async ({ caller, params, page }) => listed(await revisions.list(caller, params.id, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id/revisions/:revision',
    operationId: 'getAgentRevision',
    tag: 'agents',
    summary: "Get an agent's revision",
    description: 'What the revision holds, and what it changed against the one before.',
    permission: 'agents:read',
    pathTexts: { revision: { description: 'The number of the revision.', example: '2' } },
    data: AgentRevisionDetail,
    example: revisionDetailExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params }) =>
      ok(await revisions.get(caller, params.id, numberOf(params.revision))),
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/:id/publish',
    operationId: 'publishAgent',
    tag: 'agents',
    summary: 'Publish a revision',
    description:
      "Runs that are started from now on use this revision: a draft, or an earlier one to go back to. The agent's fields still show the latest revision; PATCH with `fromRevision` goes on from another one. A narrowed key publishes a new revision like this one, with the ids beyond its reach that are published now.",
    permission: 'agents:write',
    audit: 'agent.publish',
    body: Publication,
    bodyExample: { revision: 2 },
    data: Agent,
    example: { ...agentExample, revision: 3, publishedRevision: 2 },
    success: [200],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const agent = await agents.publish(caller, params.id, body, ifMatch)
      return ok(await agents.present(caller, agent), agentEtag(agent))
    },
  }),
]

/** What is no number is the same 404 as a number that there is not. */
function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}
