/** Whether all that an agent names exists. */
import type { Scope } from '../../../platform/caller.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import type { Models } from '../../../platform/models/models.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { FindMissing } from '../../api-keys/service.ts'

export type Named = { model?: string; tools?: readonly string[]; collectionIds?: readonly string[] }

/** Throws one 400 that names everything that there is not. */
export type AgentCheck = (scope: Scope, named: Named) => Promise<void>

export function createAgentCheck(dependencies: {
  models: Models
  tools: readonly Tool[]
  missingCollections: FindMissing
}): AgentCheck {
  const { models, tools, missingCollections } = dependencies
  const known = tools.map(({ name }) => name)
  return async (scope, { model, tools: names = [], collectionIds = [] }) => {
    const errors: FieldError[] = []
    const fault = model === undefined ? null : models.check(model, scope.environment)
    if (fault !== null) errors.push({ field: 'model', message: fault })
    for (const [index, name] of names.entries()) {
      if (known.includes(name)) continue
      const message = `There is no tool with this name; there is ${known.join(', ')}`
      errors.push({ field: `tools.${index}`, message })
    }
    const absent = new Set(await missingCollections(scope, collectionIds))
    for (const [index, id] of collectionIds.entries()) {
      if (!absent.has(id)) continue
      errors.push({ field: `collectionIds.${index}`, message: 'There is no collection with this id' })
    }
    if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  }
}
