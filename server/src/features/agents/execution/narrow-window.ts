/** After a prompt that was too long: the window that the server has told, and what of the prompt has to go. */
import { ModelError } from '../../../platform/models/model-error.ts'
import type { Execution } from './execution.ts'
import { tokensOfCall } from './prompt.ts'

/** Without numbers of the server, so much of what was too long is sent next. */
const smallerShare = 0.75
/** The server's count may be so many times our estimate, and no more. */
const mostRatio = 8
/** Of the window, for an answer that has a limit of its own. */
const answerShare = 0.25

type Narrowed = Pick<Execution, 'model' | 'maxOutputTokens'>

/**
 * The model with a smaller window; null if nothing of the prompt may go. The window is remembered for the model, so that
 * later turns fit at once.
 */
export function narrowedBy(failure: unknown, execution: Execution): Narrowed | null {
  if (!(failure instanceof ModelError) || failure.code !== 'context_too_long') return null
  const { model, history, maxOutputTokens } = execution
  const sent = tokensOfCall(execution)
  const { most, asked } = failure.window
  const guessed = Math.floor(sent * smallerShare)
  const window = most ?? guessed
  model.profile?.learnWindow(Math.max(1, window), failure.message)
  // Our estimate of the same prompt was lower than the server's count.
  const ratio = most === null || asked === null ? 1 : Math.min(mostRatio, Math.max(1, asked / sent))
  const fitting = Math.min(Math.floor(window / ratio), guessed)
  const limit =
    maxOutputTokens === null ? null : Math.min(maxOutputTokens, Math.max(1, Math.floor(window * answerShare)))
  // The words of this turn never go: they are sent alone before the run fails.
  const contextTokens = Math.max(fitting, tokensOfCall({ ...execution, history: [] }))
  const next = { model: { ...model, contextTokens }, maxOutputTokens: limit }
  const isLess = history.length > 0 && tokensOfCall({ ...execution, ...next }) < sent
  return isLess || limit !== maxOutputTokens ? next : null
}
