/** An agent as it is being edited: texts as they are typed, and what is sent of them. */
import type { Agent, Atrium } from '@atrium/sdk'

export type AgentChange = Parameters<Atrium['agents']['update']>[1]

export type Variable = { key: string; name: string; value: string; isRequired: boolean }

const limitNames = [
  'maxSteps',
  'timeoutSeconds',
  'maxOutputTokens',
  'maxCostUsd',
  'maxCostUsdPerMonth',
] as const
export type LimitName = (typeof limitNames)[number]

export type Effort = NonNullable<Agent['modelParameters']['reasoningEffort']>

/** Empty for the provider's default; `stop` has one text a line. */
export type DraftParameters = Readonly<{
  temperature: string
  topP: string
  reasoningEffort: Effort | ''
  stop: string
  seed: string
  lenient: boolean
}>

export type Draft = {
  name: string
  description: string
  status: Agent['status']
  model: string
  /** Empty for none. */
  fallbackModel: string
  instructions: string
  variables: readonly Variable[]
  collectionIds: readonly string[]
  /** The connections whose tools it can be given. */
  connectionIds: readonly string[]
  tools: readonly string[]
  approvalTools: readonly string[]
  /** One a line. */
  httpHosts: string
  agentIds: readonly string[]
  /** Empty for no limit. */
  limits: Readonly<Record<LimitName, string>>
  parameters: DraftParameters
  viewersMayRun: boolean
  access: Agent['access']
  teamIds: readonly string[]
}

export const draftOf = (agent: Agent): Draft => ({
  name: agent.name,
  description: agent.description ?? '',
  status: agent.status,
  model: agent.model,
  fallbackModel: agent.fallbackModel ?? '',
  instructions: agent.instructions,
  variables: Object.entries(agent.variables).map(([name, value]) => ({
    key: name,
    name,
    value: value ?? '',
    isRequired: value === null,
  })),
  collectionIds: agent.collectionIds,
  connectionIds: agent.connectionIds,
  tools: agent.tools,
  approvalTools: agent.approvalTools,
  httpHosts: agent.httpHosts.join('\n'),
  agentIds: agent.agentIds,
  limits: limitsOf(agent),
  parameters: parametersOf(agent),
  viewersMayRun: agent.viewersMayRun,
  access: agent.access,
  teamIds: agent.teamIds,
})

function limitsOf({ limits }: Agent): Draft['limits'] {
  const text = (name: LimitName) => (limits[name] === null ? '' : String(limits[name]))
  return {
    maxSteps: text('maxSteps'),
    timeoutSeconds: text('timeoutSeconds'),
    maxOutputTokens: text('maxOutputTokens'),
    maxCostUsd: text('maxCostUsd'),
    maxCostUsdPerMonth: text('maxCostUsdPerMonth'),
  }
}

function parametersOf({ modelParameters }: Agent): DraftParameters {
  const { temperature, topP, reasoningEffort, stop, seed, lenient } = modelParameters
  return {
    temperature: temperature === null ? '' : String(temperature),
    topP: topP === null ? '' : String(topP),
    reasoningEffort: reasoningEffort ?? '',
    stop: stop.join('\n'),
    seed: seed === null ? '' : String(seed),
    lenient,
  }
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** All fields as they are sent. */
function fieldsOf(draft: Draft) {
  const { status, model, instructions, access } = draft
  const tools = [...draft.tools]
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    status,
    model,
    fallbackModel: draft.fallbackModel || null,
    instructions,
    variables: variablesOf(draft.variables),
    collectionIds: [...draft.collectionIds],
    connectionIds: [...draft.connectionIds],
    tools,
    approvalTools: draft.approvalTools.filter(name => tools.includes(name)),
    httpHosts: draft.httpHosts.split(/[\s,]+/).filter(host => host !== ''),
    agentIds: [...draft.agentIds],
    limits: Object.fromEntries(limitNames.map(name => [name, numberOf(draft.limits[name])])),
    modelParameters: {
      temperature: numberOf(draft.parameters.temperature),
      topP: numberOf(draft.parameters.topP),
      reasoningEffort: draft.parameters.reasoningEffort === '' ? null : draft.parameters.reasoningEffort,
      stop: draft.parameters.stop.split('\n').filter(text => text !== ''),
      seed: numberOf(draft.parameters.seed),
      lenient: draft.parameters.lenient,
    },
    viewersMayRun: draft.viewersMayRun,
    access,
    teamIds: access === 'teams' ? [...draft.teamIds] : [],
  }
}

const variablesOf = (variables: readonly Variable[]): Record<string, string | null> =>
  Object.fromEntries(
    variables
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, isRequired }) => [name.trim(), isRequired ? null : value]),
  )

/** Only what differs, so that a change of the status alone makes no revision, and a field that one may not set is not sent. */
export function changeOf(draft: Draft, agent: Agent): AgentChange {
  const before = new Map<string, unknown>(Object.entries(fieldsOf(draftOf(agent))))
  const changed = Object.entries(fieldsOf(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  )
  const change: AgentChange = Object.fromEntries(changed)
  // A list that belongs to another field makes sense together with it only.
  const access = fieldsOf(draft)
  if (change.access !== undefined || change.teamIds !== undefined) {
    return { ...change, access: access.access, teamIds: access.teamIds }
  }
  return change
}

const unversioned = new Set(['status', 'viewersMayRun', 'access', 'teamIds'])

/** Whether a change makes a revision, so that it can be kept as a draft. */
export const makesRevision = (change: AgentChange): boolean =>
  Object.keys(change).some(name => !unversioned.has(name))

/** Placeholders of the instructions that are no variables yet. */
export function undeclared({ instructions, variables }: Draft): string[] {
  const names = [...instructions.matchAll(/\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g)].map(match => match[1] ?? '')
  return [...new Set(names)].filter(name => !variables.some(variable => variable.name === name))
}

/** What each group of fields is given. */
export type SectionProps = {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  errors: Readonly<Record<string, string>>
}
