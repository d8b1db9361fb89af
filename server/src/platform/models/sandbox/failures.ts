/** Everything that can end a run, as a word of `sim:` that simulates it, with the message in the run's record. */
import type { ModelErrorCode } from '../failures/codes.ts'
import { ModelError } from '../model-error.ts'

/** A model's codes without `model_`. */
type Bare<Code> = Code extends `model_${infer Rest}` ? Rest : Code

/** Failures of a model's server, each in the words of the real one. */
const modelFailures: Readonly<Record<Bare<ModelErrorCode>, string>> = {
  not_configured: 'The model is not configured on this server',
  unauthorized: "The model's server answered 401",
  not_found: "The model's server answered 404",
  rate_limited: "The model's server answered 429",
  quota_exceeded: "The model's server answered 429: insufficient_quota",
  unavailable: "The model's server answered 503",
  timeout: 'The model did not answer in time',
  request_rejected: "The model's server answered 400",
  invalid_response: "The model's answer could not be understood",
  context_too_long: 'The prompt is longer than the model can read',
}

/** Failures that end a run although its model has done nothing wrong. */
const runFailures = {
  max_cost: 'The run has cost as much as it may',
  budget_exceeded: 'The budget of this month is used up',
  attachment_unavailable: 'What was attached to the prompt is there no more',
  run_timeout: 'The run did not end within its time',
  run_interrupted: 'The server stopped while the run was in progress, and no worker could take it up',
  crashed_server: 'The work has ended its server twice, so it is not tried again',
  approval_expired: 'A tool call was not approved in time',
  tool_result_expired: 'The result of a function did not come in time',
  access_revoked: 'The key of this run may not run agents any more',
  internal_error: 'Something went wrong on our side',
  tool_not_called: 'The model did not call a tool that the run demands',
  // Really caused if the agent and the run allow it, and simulated otherwise.
  max_steps: 'The model gave no answer within its steps',
  output_invalid: 'The answer does not fit the JSON Schema',
} as const

export type RunFailureWord = keyof typeof runFailures

/** Ends the run with a code that is not a model's code. */
export class SimulatedFailure extends ModelError {
  readonly simulates: RunFailureWord

  constructor(word: RunFailureWord) {
    super('model_request_rejected', `${runFailures[word]} (simulated)`, { final: true })
    this.simulates = word
  }
}

const modelCodeOf = (word: Bare<ModelErrorCode>): ModelErrorCode =>
  word === 'context_too_long' ? word : `model_${word}`

/** Simulated failures are final, so that a test of a customer's error handling does not wait for retries. */
function modelFailure(word: Bare<ModelErrorCode>): ModelError {
  return new ModelError(modelCodeOf(word), `${modelFailures[word]} (simulated)`, { final: true })
}

const isOf = <Words extends object>(words: Words, word: string): word is keyof Words & string =>
  Object.hasOwn(words, word)

export const failureWords: readonly string[] = [...Object.keys(modelFailures), ...Object.keys(runFailures)]

/** The failure that this word simulates; the code may be written in full. Null for any other word. */
export function failureOf(written: string): ModelError | null {
  const word = written.replace(/^model_/, '')
  if (isOf(modelFailures, word)) return modelFailure(word)
  return isOf(runFailures, word) ? new SimulatedFailure(word) : null
}
