/** The model `sandbox`: answers as `extractive` does, and gives each failure that a prompt such as `sim:rate_limited` asks for. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider'
import { readTurn, resultOf, streamOf, type Turn } from './built-in.ts'
import { extractiveStep, searchCall } from './extractive/model.ts'
import { ModelError, type ModelErrorCode } from './model-error.ts'

/** Failures of a model's server, each as the real one would be reported. */
const failures: Readonly<Record<string, { code: ModelErrorCode; message: string }>> = {
  rate_limited: { code: 'model_rate_limited', message: "The model's server answered 429" },
  timeout: { code: 'model_timeout', message: 'The model did not answer in time' },
  unavailable: { code: 'model_unavailable', message: "The model's server answered 503" },
  unauthorized: { code: 'model_unauthorized', message: "The model's server answered 401" },
  invalid_response: {
    code: 'model_invalid_response',
    message: "The model's answer could not be understood",
  },
  context_too_long: {
    code: 'context_too_long',
    message: 'The prompt is longer than the model can read',
  },
}

const longestSleepMs = 600_000

const known = [...Object.keys(failures), 'tool_error', 'max_steps', 'slow=5s', 'output=…']

export function createSandboxModel(): LanguageModelV3 {
  const generate = async (options: LanguageModelV3CallOptions) => {
    const turn = readTurn(options.prompt)
    return resultOf([await step(turn, options)], options.prompt)
  }
  return {
    specificationVersion: 'v3',
    provider: 'atrium',
    modelId: 'sandbox',
    supportedUrls: {},
    doGenerate: generate,
    doStream: async options => streamOf(await generate(options)),
  }
}

async function step(turn: Turn, options: LanguageModelV3CallOptions): Promise<LanguageModelV3Content> {
  const simulation = /^\s*sim:([a-z_]+)(?:=([\s\S]*))?$/.exec(turn.question)
  if (simulation === null) return extractiveStep(turn, options)
  const [, name = '', value = ''] = simulation
  const failure = Object.hasOwn(failures, name) ? failures[name] : undefined
  // Simulated failures are final, so that a test of a customer's error handling needs no patience.
  if (failure !== undefined)
    throw new ModelError(failure.code, `${failure.message} (simulated)`, { final: true })
  if (name === 'output') return { type: 'text', text: value }
  // A call that the tool must refuse, until the run gives up.
  if (name === 'tool_error') return searchCall(turn.toolCalls, {})
  if (name === 'max_steps') return searchCall(turn.toolCalls, { query: 'sandbox' })
  if (name === 'slow') return await answerSlowly(value, options)
  throw new ModelError(
    'model_request_rejected',
    `There is no simulation ${name}; known are ${known.map(word => `sim:${word}`).join(', ')}`,
  )
}

async function answerSlowly(
  value: string,
  options: LanguageModelV3CallOptions,
): Promise<LanguageModelV3Content> {
  const [, amount = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s)\s*$/.exec(value) ?? []
  if (amount === '') {
    throw new ModelError('model_request_rejected', 'Write sim:slow=5s or sim:slow=250ms')
  }
  const waitMs = Math.min(longestSleepMs, Number(amount) * (unit === 's' ? 1000 : 1))
  await sleep(waitMs, undefined, options.abortSignal === undefined ? {} : { signal: options.abortSignal })
  return { type: 'text', text: `Answered after ${amount}${unit}.` }
}
