/** The tools that need nothing of another feature. */
import type { Clock } from '../../../platform/clock.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import type { Tool } from '../../../platform/tool.ts'
import { calculatorTool } from './calculator.ts'
import { callAgentTool } from './call-agent.ts'
import { createTimeTool } from './current-time.ts'
import { createHttpTool } from './http-request.ts'

export const createOwnTools = ({ clock, safeFetch }: { clock: Clock; safeFetch: SafeFetch }): Tool[] => [
  calculatorTool,
  createTimeTool(clock),
  createHttpTool(safeFetch),
  callAgentTool,
]
