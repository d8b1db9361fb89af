/** From an error to words for a person: what happened, and what they can do about it. */
import { ApiError, ConnectionError, type FieldError, TimeoutError } from '@atrium/sdk'

export type Explained = {
  title: string
  remedy: string
  fields: readonly FieldError[]
  requestId: string | null
}

/** What to do, by the code of the API's error; the rest is told by its status. */
const remedies: Readonly<Record<string, string>> = {
  permission_missing: 'Your role does not include this. Ask an owner or admin of the workspace.',
  plan_required: 'The plan of this workspace does not include it. An owner can change the plan.',
  sandbox_forbidden: 'This works in the live environment only. Switch to live at the top of the page.',
  storage_limit: 'Delete documents that you no longer need, or ask an owner for a larger plan.',
  member_limit: 'Remove a member who has left, or ask an owner for a larger plan.',
  run_limit: 'Wait until a run has ended, or cancel one.',
  budget_exceeded: 'Ask an owner to raise the budget in the settings, or wait until it resets next month.',
  last_owner: 'Make another member an owner first.',
  payload_too_large: 'Send something smaller, or ask an owner for a plan with a higher limit.',
  workspace_deleted: 'An owner can restore the workspace until its 30 days have passed.',
  precondition_failed: 'Someone else has changed it. Reload the page and make your change again.',
  conflict: 'Reload the page to see its current state, then try again.',
  sign_in_refused: 'Type both once more. After several wrong tries you have to wait for a while.',
  sign_up_closed: 'Ask an owner or admin of a workspace to invite you.',
  origin_forbidden: 'Open the console under the address that the operator has set (ATRIUM_PUBLIC_URL).',
  workspace_limit: 'Delete a workspace that you own, or ask your operator.',
  not_found: 'It may have been deleted, belong to the other environment, or not be shared with you.',
}

const byStatus: Readonly<Record<number, string>> = {
  400: 'Correct what is named here, and try again.',
  401: 'Your session has ended. Sign in again.',
  403: 'You may not do this. Ask an owner or admin of the workspace.',
  404: remedies.not_found as string,
  409: remedies.conflict as string,
  412: remedies.precondition_failed as string,
  413: remedies.payload_too_large as string,
}

export function explain(error: unknown): Explained {
  if (error instanceof ApiError) {
    const fields = error.errors
    return {
      title: fields.length === 0 ? sentence(error.message) : 'Some of this cannot be taken as it is',
      remedy: remedyOf(error),
      fields,
      requestId: error.requestId === '' ? null : error.requestId,
    }
  }
  if (error instanceof TimeoutError) {
    return told('The server did not answer in time', 'It may be busy. Wait a moment, and try again.')
  }
  if (error instanceof ConnectionError) {
    return told('The server could not be reached', 'Check your network. Nothing was lost; try again.')
  }
  const message = error instanceof Error ? error.message : String(error)
  return told(
    'Something in this page failed',
    `Reload it. If that does not help, tell your operator: ${message}`,
  )
}

/** The errors of a refused form by field, so that each stands beside its input. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  // A list's entries are named one by one (`permissions.0`); the form has one place for them.
  const named = error.errors.map(({ field, message }) => [field.replace(/\.\d+$/, ''), sentence(message)])
  return Object.fromEntries(named.toReversed())
}

/** Whether every fault of a refused form already stands beside one of these inputs, so that nothing else need be said. */
export function isToldBeside(fields: readonly string[], error: unknown): boolean {
  const named = Object.keys(fieldErrorsOf(error))
  return named.length > 0 && named.every(name => fields.includes(name))
}

const told = (title: string, remedy: string): Explained => ({ title, remedy, fields: [], requestId: null })

function remedyOf({ code, statusCode, retryable, retryAfterMs }: ApiError): string {
  const known = remedies[code]
  if (known !== undefined) return known
  if (statusCode === 429) {
    const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 60_000) / 1000))
    return `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, and try again.`
  }
  if (retryable) return 'This passes by itself. Wait a moment, and try again.'
  return byStatus[statusCode] ?? 'Try again. If the problem persists, send the request ID to your operator.'
}

function sentence(message: string): string {
  const trimmed = message.trim()
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
}
