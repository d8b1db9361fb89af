/** What the widget says. A page replaces any of it by the property `words`. */
import { ApiError, ConnectionError } from '@atrium/sdk'

export const english = {
  heading: 'Ask us',
  open: 'Open the chat',
  close: 'Close the chat',
  newConversation: 'New conversation',
  conversation: 'Conversation',
  placeholder: 'Type your question',
  send: 'Send',
  stop: 'Stop the answer',
  you: 'You',
  agent: 'Assistant',
  thinking: 'Looking for an answer…',
  answered: 'The answer is complete.',
  stopped: 'The answer was stopped.',
  waiting: 'Someone has to approve a step first. The answer appears here afterwards.',
  lookingUp: 'Looking up…',
  reconnecting: 'The connection broke. Trying again…',
  failed: 'There is no answer: something went wrong.',
  tooMany: 'Too many questions at once. Please wait a moment.',
  usedUp: 'This chat has reached its limit. Please come back later.',
  ended: 'This chat has ended. Please reload the page.',
  closed: 'This chat is not open here.',
  unreachable: 'The server cannot be reached. Check your connection.',
  tryAgain: 'Try again',
  helpful: 'The answer helps',
  unhelpful: 'The answer does not help',
  sources: 'Sources',
  source: 'Source',
  page: 'Page',
  document: 'Document',
  back: 'Back to the conversation',
}

export type Words = typeof english

export function wordsOf(error: unknown, words: Words): string {
  if (error instanceof ConnectionError) return words.unreachable
  if (!(error instanceof ApiError)) return words.failed
  const { statusCode, code } = error
  if (statusCode === 401) return words.ended
  if (code === 'origin_forbidden' || statusCode === 404) return words.closed
  if (statusCode === 429 || statusCode === 503) return words.tooMany
  return /budget|limit/.test(code) ? words.usedUp : words.failed
}
