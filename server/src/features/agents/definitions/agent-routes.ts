/** The endpoints of agents and their catalog. */
import {
  created,
  defineRoute,
  listed,
  noContent,
  ok,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { PageRequest } from '../../../platform/database/page.ts'
import { notFound } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import {
  Agent,
  AgentChange,
  AgentInstallation,
  AgentRevision,
  AgentRevisionDetail,
  AgentTemplate,
  agentExample,
  NewAgent,
  Publication,
  revisionDetailExample,
  revisionExample,
  templateExample,
} from './agent-schemas.ts'
import { type AgentService, agentEtag } from './agent-service.ts'
import type { RevisionService } from './revision-service.ts'
import { agentTemplates, firstTemplateId } from './templates.ts'

export const agentRoutes = (agents: AgentService, revisions: RevisionService): Route[] => [
  ...catalogRoutes(agents),
  ...agentReads(agents),
  ...agentChanges(agents),
  ...revisionRoutes(revisions, agents),
]

type AgentRecord = Awaited<ReturnType<AgentService['get']>>

const answer = async (agents: AgentService, caller: Caller, agent: AgentRecord) =>
  created(await agents.present(caller, agent), `/agents/${agent.id}`, agentEtag(agent))

const agentReads = (agents: AgentService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents',
    operationId: 'listAgents',
    summary: 'List agents',
    description: "Agents of the workspace in the key's environment.",
    permission: 'agents:read',
    list: {
      ...standardList,
      sorts: ['createdAt', 'updatedAt', 'name'],
      dates: ['created', 'updated'],
      named: 'name or description',
    },
    data: Type.Array(Agent),
    example: [agentExample],
    handle: async ({ caller, page }) => {
      const rows = await agents.list(caller, page)
      return listed({ ...rows, items: await agents.presentAll(caller, rows.items) }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id',
    operationId: 'getAgent',
    summary: 'Get an agent',
    description: 'Returns the agent in its current state.',
    permission: 'agents:read',
    data: Agent,
    example: agentExample,
    handle: async ({ caller, params }) => {
      const agent = await agents.get(caller, params.id)
      return ok(await agents.present(caller, agent), agentEtag(agent))
    },
  }),
]

const agentChanges = (agents: AgentService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/agents',
    operationId: 'createAgent',
    summary: 'Create an agent',
    description:
      "Only `name` is required. An agent with only a name runs on the server's default model. It searches all knowledge that the key running it can access.",
    permission: 'agents:write',
    audit: 'agent.create',
    body: NewAgent,
    bodyExample: { name: 'Support', instructions: 'Answer customers kindly and briefly.' },
    data: Agent,
    example: agentExample,
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, body }) => answer(agents, caller, await agents.create(caller, body)),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/agents/:id',
    operationId: 'updateAgent',
    summary: 'Change an agent',
    description:
      'Changes the fields that you send, creates a new revision, and publishes it unless `publish` is false. Changing only `status`, `access` or `teamIds` creates no revision. Lists of ids keep the ids that you cannot access: you neither see nor remove them, and publishing does not change them. Runs in progress continue with the revision that they started with.',
    permission: 'agents:write',
    audit: 'agent.update',
    body: AgentChange,
    bodyExample: { instructions: 'Answer customers kindly, briefly and in their language.' },
    data: Agent,
    example: { ...agentExample, revision: 2, publishedRevision: 2 },
    errors: ['limit_reached', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const agent = await agents.update(caller, params.id, body, ifMatch)
      return ok(await agents.present(caller, agent), agentEtag(agent))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/agents/:id',
    operationId: 'deleteAgent',
    summary: 'Delete an agent',
    description:
      'You can no longer run or list the agent. Its schedules and triggers are deleted. Its runs stay readable by id, and runs in progress finish.',
    permission: 'agents:write',
    audit: 'agent.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const { schedule, trigger } = await agents.remove(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      const effects = [
        { resource: 'agent', ids: [params.id] },
        { resource: 'schedule', ids: schedule },
        { resource: 'trigger', ids: trigger },
      ] as const
      return preview(
        effects
          .filter(({ ids }) => ids.length > 0)
          .map(({ resource, ids }) => ({ effect: 'deleted', resource, count: ids.length, ids: [...ids] })),
      )
    },
  }),
]

const catalogRoutes = (agents: AgentService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/catalog',
    operationId: 'listAgentTemplates',
    summary: 'List agent templates',
    description: 'Ready-made agents. You can install each as often as you like and change it afterwards.',
    permission: 'agents:read',
    list: ownOrder,
    data: Type.Array(AgentTemplate),
    example: [templateExample],
    handle: async ({ page }) => listed(cut(agentTemplates, page), page),
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/catalog/:template/install',
    pathTexts: { template: { description: 'The id of the template.', example: firstTemplateId } },
    operationId: 'installAgent',
    summary: 'Install an agent from a template',
    description:
      'Creates an agent from a template. You can set its name, model and collections in the same request.',
    permission: 'agents:write',
    audit: 'agent.create',
    body: AgentInstallation,
    bodyExample: { name: 'Handbook' },
    data: Agent,
    example: agentExample,
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, params, body }) =>
      answer(agents, caller, await agents.install(caller, params.template, body)),
  }),
]

/** A list that is not read from a table has its own order, and no cursor. */
const ownOrder = { ...standardList, ranked: true }

const cut = <Item>(items: readonly Item[], { page, pageSize }: PageRequest) => ({
  items: items.slice((page - 1) * pageSize, page * pageSize),
  total: items.length,
})

const revisionRoutes = (revisions: RevisionService, agents: AgentService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/:id/revisions',
    operationId: 'listAgentRevisions',
    summary: "List an agent's revisions",
    description:
      'All revisions of the agent, newest first: who created each one, when, and which fields it changed.',
    permission: 'agents:read',
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(AgentRevision),
    example: [revisionExample],
    handle: async ({ caller, params, page }) => listed(await revisions.list(caller, params.id, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id/revisions/:revision',
    operationId: 'getAgentRevision',
    summary: "Get an agent's revision",
    description: 'Returns the content of the revision and its changes from the revision before it.',
    permission: 'agents:read',
    pathTexts: { revision: { description: 'The number of the revision.', example: '2' } },
    data: AgentRevisionDetail,
    example: revisionDetailExample,
    replyTexts: { 200: 'The revision with its content, and what changed in it.' },
    handle: async ({ caller, params }) =>
      ok(await revisions.get(caller, params.id, numberOf(params.revision))),
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/:id/publish',
    operationId: 'publishAgent',
    summary: 'Publish a revision',
    description:
      "New runs use this revision: a draft, or an earlier revision to roll back to. The agent's fields still show the latest revision; to edit from another one, use PATCH with `fromRevision`. Runs of a revision that a narrowed key wrote reach no more collections than that key, until a caller that is not narrowed publishes it.",
    permission: 'agents:write',
    audit: 'agent.publish',
    body: Publication,
    bodyExample: { revision: 2 },
    data: Agent,
    example: { ...agentExample, revision: 3, publishedRevision: 2 },
    replyTexts: { 200: 'The agent, whose new runs use the revision.' },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const agent = await agents.publish(caller, params.id, body, ifMatch)
      return ok(await agents.present(caller, agent), agentEtag(agent))
    },
  }),
]

/** A text that is not a number gives the same 404 as an unknown number. */
function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}
