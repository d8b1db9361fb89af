/** What a prompt is sent with besides its words: variables, a revision, the form that the answer has to have. */

import type { Agent } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { NewPrompt } from './use-conversation.ts'

export type RunInputs = {
  variables: Readonly<Record<string, string>>
  /** Empty for the published one. */
  revision: string
  /** JSON, as it is typed; empty for none. */
  responseSchema: string
}

export const noInputs: RunInputs = { variables: {}, revision: '', responseSchema: '' }

/** What is wrong with the inputs by field, before anything is sent. */
export function faultsOf(inputs: RunInputs, agent: Agent): Readonly<Record<string, string>> {
  const missing = Object.entries(agent.variables)
    .filter(([name, usual]) => usual === null && (inputs.variables[name] ?? '').trim() === '')
    .map(([name]) => [`variables.${name}`, 'This agent needs a value.'])
  const schema = inputs.responseSchema.trim()
  const isWrong = schema !== '' && parsed(schema) === null
  return Object.fromEntries([
    ...missing,
    ...(isWrong
      ? [['responseSchema', 'This is not a JSON object. Write one such as {"type": "object"}.']]
      : []),
  ])
}

export function promptOf(prompt: string, { variables, revision, responseSchema }: RunInputs): NewPrompt {
  const given = Object.entries(variables).filter(([, value]) => value !== '')
  const schema = parsed(responseSchema)
  return withoutUndefined({
    prompt,
    variables: given.length > 0 ? Object.fromEntries(given) : undefined,
    revision: revision === '' ? undefined : Number(revision),
    // The generated types have no word for an object of any fields.
    responseSchema: schema === null ? undefined : (schema as Record<string, never>),
  })
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    // The value is incomplete while the person is still typing.
    return null
  }
}
