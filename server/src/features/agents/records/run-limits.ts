/** What a run may use: what it asks for, within what its agent allows. */
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import type { AgentLimits } from '../definitions/agent-fields.ts'

export const defaultMaxSteps = 8
export const defaultTimeoutSeconds = 120

/** Those of an agent's limits that are a run's as well. */
const names = ['maxSteps', 'maxCostUsd', 'timeoutSeconds', 'maxOutputTokens'] as const
type Name = (typeof names)[number]

export type RunLimits = {
  maxSteps: number
  maxCostUsd: number | null
  timeoutSeconds: number
  maxOutputTokens: number | null
}

/** An agent's limits hold where a run gives none. Throws one 400 that names each in which it asks for more. */
export function limitsOf(agent: AgentLimits, asked: Partial<Record<Name, number>> = {}): RunLimits {
  const errors: FieldError[] = names.flatMap(name => {
    const [most, wanted] = [agent[name], asked[name]]
    return most !== null && wanted !== undefined && wanted > most
      ? [{ field: `limits.${name}`, message: `must be at most ${most}, which is the agent's limit` }]
      : []
  })
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return {
    maxSteps: asked.maxSteps ?? agent.maxSteps ?? defaultMaxSteps,
    maxCostUsd: asked.maxCostUsd ?? agent.maxCostUsd,
    timeoutSeconds: asked.timeoutSeconds ?? agent.timeoutSeconds ?? defaultTimeoutSeconds,
    maxOutputTokens: asked.maxOutputTokens ?? agent.maxOutputTokens,
  }
}
