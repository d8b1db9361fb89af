/** Carries out the tool calls of one step, at the same time; what goes wrong is told to the model. */
import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import Value from 'typebox/value'
import type { Clock } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tool, ToolContext, ToolResult } from '../../../platform/tool.ts'
import { passagesOf, type Step, type ToolStep } from '../runs/steps.ts'
import type { NumberedPassage } from './citations.ts'
import { parseArguments } from './prompt.ts'

export type CallTools = (
  calls: readonly LanguageModelV3ToolCall[],
  within: { tools: readonly Tool[]; context: ToolContext; steps: readonly Step[] },
) => Promise<ToolStep[]>

const mostCallsPerStep = 10

/** Throws only the reason of the signal, once that is aborted. */
export function createCallTools(dependencies: { clock: Clock; log: Log }): CallTools {
  const { clock, log } = dependencies
  return async (calls, { tools, context, steps }) => {
    const timings = calls.map(() => ({ startedAt: clock(), begun: performance.now(), durationMs: 0 }))
    const outcomes = await Promise.all(
      calls.map(async (call, index) => {
        const outcome = index < mostCallsPerStep ? await callOne(call, tools, context) : tooMany
        const timing = timings[index]
        if (timing !== undefined) timing.durationMs = Math.round(performance.now() - timing.begun)
        return outcome
      }),
    )
    const number = createNumbering(passagesOf(steps))
    return calls.map((call, index) => {
      const { startedAt = 0, durationMs = 0 } = timings[index] ?? {}
      const { input, result, error } = outcomes[index] ?? tooMany
      const found = result === undefined ? [] : result.passages.map(number)
      return {
        type: 'tool',
        name: call.toolName,
        startedAt,
        durationMs,
        record: {
          toolCallId: call.toolCallId,
          input,
          passages: found,
          ...(result?.note === undefined ? {} : { note: result.note }),
          ...(error === undefined ? {} : { error: { message: error } }),
        },
      }
    })
  }

  async function callOne(
    call: LanguageModelV3ToolCall,
    tools: readonly Tool[],
    context: ToolContext,
  ): Promise<Outcome> {
    const input = parseArguments(call.input)
    const tool = tools.find(({ name }) => name === call.toolName)
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ')
      return { input, error: `There is no tool ${call.toolName}; there is ${names || 'none'}` }
    }
    if (input === undefined) return { input: call.input, error: 'The arguments are not valid JSON' }
    if (!Value.Check(tool.input, input)) {
      const [first] = Value.Errors(tool.input, input)
      return {
        input,
        error: `The arguments do not fit: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
      }
    }
    try {
      return { input, result: await tool.run(context, input) }
    } catch (failure) {
      context.signal.throwIfAborted()
      if (failure instanceof ServiceError && failure.statusCode < 500)
        return { input, error: failure.message }
      log.error('A tool failed', { tool: tool.name, error: failure })
      return { input, error: 'The tool failed' }
    }
  }
}

type Outcome = { input: unknown; result?: ToolResult; error?: string }

const tooMany: Outcome = {
  input: null,
  error: `At most ${mostCallsPerStep} tool calls are carried out in one step`,
}

/** Numbers passages over the whole run; a passage that was found before keeps its number. */
function createNumbering(before: readonly NumberedPassage[]) {
  const numbers = new Map(before.map(({ number, passage }) => [passage.chunkId, number]))
  return (passage: NumberedPassage['passage']): NumberedPassage => {
    const number = numbers.get(passage.chunkId) ?? new Set(numbers.values()).size + 1
    numbers.set(passage.chunkId, number)
    return { number, passage }
  }
}
