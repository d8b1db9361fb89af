/** An agent as it is being edited: texts as they are typed, and what is sent of them. */
import type { Agent, Atrium } from '@atrium/sdk'
import type { FieldOf } from '../../../api/form.ts'

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

export type Draft = ReturnType<typeof draftOf>

export const draftOf = (agent: Agent) => ({
  name: agent.name,
  description: agent.description ?? '',
  status: agent.status,
  model: agent.model,
  /** Empty for none. */
  fallbackModel: agent.fallbackModel ?? '',
  instructions: agent.instructions,
  variables: Object.entries(agent.variables).map(
    ([name, value]): Variable => ({ key: name, name, value: value ?? '', isRequired: value === null }),
  ),
  collectionIds: agent.collectionIds,
  /** The connections whose tools it can be given. */
  connectionIds: agent.connectionIds,
  tools: agent.tools,
  approvalTools: agent.approvalTools,
  /** One a line. */
  httpHosts: agent.httpHosts.join('\n'),
  agentIds: agent.agentIds,
  limits: limitsOf(agent),
  parameters: parametersOf(agent),
  viewersMayRun: agent.viewersMayRun,
  access: agent.access,
  teamIds: agent.teamIds,
})

/** Empty for no limit. */
const limitsOf = ({ limits }: Agent): Record<LimitName, string> => ({
  maxSteps: textOf(limits.maxSteps),
  timeoutSeconds: textOf(limits.timeoutSeconds),
  maxOutputTokens: textOf(limits.maxOutputTokens),
  maxCostUsd: textOf(limits.maxCostUsd),
  maxCostUsdPerMonth: textOf(limits.maxCostUsdPerMonth),
})

/** Empty for the provider's default; `stop` has one text a line. */
const parametersOf = ({ modelParameters }: Agent) => ({
  temperature: textOf(modelParameters.temperature),
  topP: textOf(modelParameters.topP),
  reasoningEffort: modelParameters.reasoningEffort ?? ('' as const),
  stop: modelParameters.stop.join('\n'),
  seed: textOf(modelParameters.seed),
  lenient: modelParameters.lenient,
})

const textOf = (value: number | null): string => (value === null ? '' : String(value))
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function fieldsOf({ parameters, limits, ...draft }: Draft) {
  return {
    ...draft,
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    fallbackModel: draft.fallbackModel || null,
    variables: variablesOf(draft.variables),
    approvalTools: draft.approvalTools.filter(name => draft.tools.includes(name)),
    httpHosts: draft.httpHosts.split(/[\s,]+/).filter(host => host !== ''),
    limits: Object.fromEntries(limitNames.map(name => [name, numberOf(limits[name])])),
    modelParameters: {
      temperature: numberOf(parameters.temperature),
      topP: numberOf(parameters.topP),
      reasoningEffort: parameters.reasoningEffort || null,
      stop: parameters.stop.split('\n').filter(text => text !== ''),
      seed: numberOf(parameters.seed),
      lenient: parameters.lenient,
    },
    teamIds: draft.access === 'teams' ? draft.teamIds : [],
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
  if (change.access === undefined && change.teamIds === undefined) return change
  // A list that belongs to another field makes sense together with it only.
  const { access, teamIds } = fieldsOf(draft)
  return { ...change, access, teamIds }
}

/** The draft once `sent` is saved: a field that a person has changed since it was sent stays as it is typed. */
export function draftAfterSave(saved: Agent, sent: Draft, typed: Draft): Draft {
  const changed = Object.entries(typed).filter(([name, value]) => value !== sent[name as keyof Draft])
  return { ...draftOf(saved), ...Object.fromEntries(changed) }
}

const unversioned = new Set(['status', 'viewersMayRun', 'access', 'teamIds'])

/** Whether a change makes a revision, so that it can be kept as a draft. */
export const makesRevision = (change: AgentChange): boolean =>
  Object.keys(change).some(name => !unversioned.has(name))

export function undeclared({ instructions, variables }: Draft): string[] {
  const names = [...instructions.matchAll(/\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g)].map(match => match[1] ?? '')
  return [...new Set(names)].filter(name => !variables.some(variable => variable.name === name))
}

/** What each group of fields is given. */
export type SectionProps = {
  draft: Draft
  /** What an input needs of its field. */
  of: FieldOf<Draft>
  onChange: (change: Partial<Draft>) => void
  errors: Readonly<Record<string, string>>
}
