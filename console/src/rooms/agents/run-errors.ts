/** What to do about a run that has failed, by the code of its error. */

const remedies: Readonly<Record<string, string>> = {
  model_not_configured: 'Choose another model in the editor, or ask your operator to configure this one.',
  model_unauthorized: 'The provider refuses the key. Whoever set it up has to give a valid one.',
  model_not_found: 'Choose another model in the editor: the provider has none of this name.',
  model_rate_limited: 'The provider is busy with other requests. Wait a minute, and run it again.',
  model_quota_exceeded:
    'What was paid for at the provider is used up. Raise its limit there, or choose another model.',
  model_timeout: 'Run it again. If it happens often, choose a faster model or a fallback.',
  model_unavailable: 'Run it again later, or choose a fallback model in the editor.',
  model_request_rejected:
    'Change what the message says is wrong with the request, in the prompt or in the agent.',
  model_invalid_response: 'Run it again. If it stays, choose another model.',
  context_too_long:
    'Make the prompt or the instructions shorter, begin a new conversation, or choose a model that reads more.',
  content_filtered: 'The provider withholds the answer. Ask in other words, or choose another model.',
  output_truncated: 'Raise the limit of output tokens in the editor, or ask for a shorter answer.',
  output_invalid:
    'Make the response schema simpler, or say in the instructions what the answer has to look like.',
  max_steps: 'Raise the limit of steps in the editor, or ask for less at once.',
  max_cost: 'Raise the limit of cost in the editor, or choose a cheaper model.',
  budget_exceeded: 'An owner can raise the monthly budget; otherwise it begins anew next month.',
  attachment_unavailable: 'Attach the document again; it was deleted or cannot be reached any more.',
  run_timeout: 'Raise the time limit in the editor, or ask for less at once.',
  tool_error:
    'Look at the failed steps for what the tool says, and mend the instructions or the tool’s settings.',
  run_interrupted: 'The server was interrupted several times. Run it again.',
  approval_expired: 'Nobody decided in time. Run it again, and decide sooner.',
  access_revoked: 'The key or person who ran it has lost a permission. Run it with one that has it.',
  internal_error: 'Run it again. If it stays, tell your operator, with the number of the run.',
}

export const remedyOfRun = (code: string): string => remedies[code] ?? 'Run it again.'
