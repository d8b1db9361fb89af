/** The Model Context Protocol: offers the workspace's documents and agents to assistants that people already use. */
import type { Feature } from '../../http/feature.ts'
import type { AnswerMcp } from '../../http/mcp-endpoint.ts'
import { validation } from '../../http/validation.ts'
import { createMcpService } from './service.ts'

export type McpServices = ReturnType<typeof createMcpFeature>['services']

export function createMcpFeature(dependencies: Omit<Parameters<typeof createMcpService>[0], 'validatorOf'>) {
  const mcp = createMcpService({ ...dependencies, validatorOf: validation.body })
  let answer: Promise<AnswerMcp> | null = null
  // The package takes 25 MB and part of a second to load, and most servers never get an MCP request.
  const load = async (): Promise<AnswerMcp> =>
    (await import('./protocol.ts')).createAnswer({ mcp, log: dependencies.log })
  return {
    services: {
      answerMcp: (async exchange => {
        answer ??= load()
        return await (await answer)(exchange)
      }) satisfies AnswerMcp as AnswerMcp,
    },
  } satisfies Feature<object>
}
