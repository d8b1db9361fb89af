/** One tiny call of a model, to see whether its provider is set up right. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Clock, secondMs } from '../../platform/clock.ts'
import { ModelError, toModelError } from '../../platform/models/model-error.ts'
import type { ResolvedModel } from '../../platform/models/models.ts'

export type TestCall = (
  model: ResolvedModel,
  signal: AbortSignal,
) => Promise<{ error: ModelError | null; durationMs: number }>

const timeoutMs = 30 * secondMs
/** The least that every provider takes. */
const maxOutputTokens = 16

/** Whatever the model says is an answer; it is asked once, and what it wrote is not kept. */
export const createTestCall =
  (clock: Clock): TestCall =>
  async ({ model, providerOptions }, signal) => {
    const begun = performance.now()
    const took = () => Math.round(performance.now() - begun)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      await model.doGenerate(
        withoutUndefined({
          prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word OK.' }] }],
          maxOutputTokens,
          abortSignal: AbortSignal.any([signal, timeout]),
          providerOptions,
        }),
      )
      return { error: null, durationMs: took() }
    } catch (error) {
      signal.throwIfAborted()
      return { error: timeout.aborted ? tooSlow() : toModelError(error, clock()), durationMs: took() }
    }
  }

const tooSlow = (): ModelError =>
  new ModelError('model_timeout', `The model did not answer within ${timeoutMs / secondMs} seconds`)
