/** The scripted model of the live workspace: it answers by what it is asked, so that a client's programs know what to expect. */
import { sampleOf } from '../../../server/src/platform/json-schema/sample.ts'
import type { ModelBehaviour } from '../../../server/src/testing/servers/model-script.ts'
import type { CompletionRequest } from '../../../server/src/testing/servers/model-server.ts'

export const words = 'Once upon a time there was a goose.'

type Message = CompletionRequest['messages'][number]
type Tool = NonNullable<CompletionRequest['tools']>[number]

export function script(request: CompletionRequest): ModelBehaviour {
  const { messages, tools = [], tool_choice: choice, response_format: format } = request
  const last = messages.at(-1)
  const prompt = textOf(last)
  if (last?.role === 'tool') return { kind: 'answer', text: `The tool said: ${prompt}` }
  const tool = chosenTool(tools, choice, prompt)
  if (tool !== undefined) return { kind: 'tool_calls', calls: [callOf(tool)] }
  if (format?.type === 'json_schema')
    return { kind: 'answer', text: JSON.stringify(weatherLike(format.json_schema?.schema)) }
  if (format?.type === 'json_object') return { kind: 'answer', text: JSON.stringify(weather) }
  const marked = markedAnswer(textOf(messages[0]))
  if (marked !== undefined) return { kind: 'answer', text: marked }
  if (prompt.includes('break')) {
    return { kind: 'stream_error', text: 'Once ', type: 'invalid_request_error', message: 'The model broke' }
  }
  return { kind: 'paced', text: words, delayMs: 1 }
}

const weather = { city: 'Paris', degrees: 21 }

/** One that is demanded; else the first, where the prompt is about the weather. */
function chosenTool(tools: readonly Tool[], choice: unknown, prompt: string): Tool | undefined {
  if (choice === 'none') return undefined
  const named = tools.find(({ function: { name } }) => JSON.stringify(choice)?.includes(`"name":"${name}"`))
  if (named !== undefined) return named
  return choice === 'required' || prompt.includes('weather') ? tools[0] : undefined
}

const callOf = ({ function: { name, parameters } }: Tool) => ({ name, arguments: weatherLike(parameters) })

/** Arguments whose rules a provider's schema can say only in words. */
const wellFormed = { levels: [1, 3], person: { name: 'Ada', address: { street: 'Rue 1', zip: '12345' } } }

/** A value of the schema; what asks for a city gets Paris. */
function weatherLike(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return {}
  const value = sampleOf(schema as Parameters<typeof sampleOf>[0], 'Paris')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const known = Object.entries({ ...weather, ...wellFormed }).filter(([name]) => name in value)
  return { ...value, ...Object.fromEntries(known) }
}

/** DSPy asks for an answer whose fields stand below marks that its first message lists. */
function markedAnswer(instructions: string): string | undefined {
  if (!instructions.includes('[[ ## completed ## ]]')) return undefined
  const fields = [...instructions.matchAll(/\[\[ ## (\w+) ## \]\]/g)].map(([, field]) => field)
  const wanted = [...new Set(fields)].filter(field => field !== 'question' && field !== 'completed')
  return [...wanted.map(field => `[[ ## ${field} ## ]]\n${words}`), '[[ ## completed ## ]]'].join('\n\n')
}

function textOf(message: Message | undefined): string {
  const { content = '' } = message ?? {}
  if (typeof content === 'string') return content
  return (content ?? []).map(part => (part.type === 'text' ? part.text : '')).join('')
}
