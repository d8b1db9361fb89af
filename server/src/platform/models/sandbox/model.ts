/** The model `sandbox`: answers like `extractive`, and does what the `sim:` words of a prompt ask for. */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider'
import type { Sleep } from '../../clock.ts'
import type { JsonSchema } from '../../json-schema/strangers-schemas.ts'
import {
  answerWith,
  createWritingModel,
  hasFailed,
  needsApproval,
  readTurn,
  resultIn,
  type Sample,
  type ShownPassage,
  type ToolOutput,
  type Turn,
  type Written,
} from '../built-in.ts'
import { callOf, extractiveStep, searchToolName } from '../extractive/model.ts'
import { sentencesOf } from '../extractive/sentences.ts'
import { ModelError } from '../model-error.ts'
import { SimulatedFailure } from './failures.ts'
import { type Ending, readScript, type Script, type Word } from './script.ts'

/** The pause between two words of `sim:stream`. */
const pauseMs = 50
const thought = 'The prompt asks the sandbox to think, so it thinks a few words before it goes on. '
const voided = 'These words are void, '
const unfit = 'This is not JSON.'
/** The limits of what is quoted of a tool's result. */
const mostQuotes = 3
const mostSaid = 2_000

type Options = LanguageModelV3CallOptions
type Call = Extract<Word, { kind: 'tool' | 'approval' }>
type Act = Exclude<Word, Call | Ending>

/** What happens before a round of tool calls. A scene without calls ends the run. */
type Scene = { acts: Act[]; calls: Call[] }
type Play = { scenes: Scene[]; ending: Ending | null; question: string }

type Tools = { sleep: Sleep; sample: Sample }

export function createSandboxModel(given: Tools): LanguageModelV3 {
  /** Prompts whose answer `sim:restart` has broken off once. The same call is then made again. */
  const restarted = new WeakSet<LanguageModelV3Prompt>()

  async function* perform(turn: Turn, play: Play, options: Options): AsyncGenerator<Written> {
    const { scenes, ending } = play
    const scene = scenes[turn.rounds]
    const acts = scene === undefined || turn.repairs > 0 ? [] : scene.acts
    for (const act of acts) {
      if (act.kind !== 'restart') yield* performed(act, options, given)
      else if (!restarted.has(options.prompt)) {
        restarted.add(options.prompt)
        yield* brokenOff()
      }
    }
    if (scene !== undefined && scene.calls.length > 0) yield* await callsOf(scene.calls, turn, options, given)
    else if (ending !== null) yield* endingOf(ending, turn, options, given)
    else yield* answerOf(turn, play, options, given)
  }

  return createWritingModel('sandbox', async function* (options) {
    const turn = readTurn(options.prompt)
    const script = readScript(turn.question)
    if (script === null) yield await extractiveStep(turn, options, given.sample)
    else yield* perform(turn, playOf(script), options)
  })
}

/** Calls that stand next to each other are made together. */
function playOf({ words, question }: Script): Play {
  const scenes: Scene[] = [{ acts: [], calls: [] }]
  let ending: Ending | null = null
  for (const word of words) {
    const last = scenes[scenes.length - 1]
    if (isCall(word)) last?.calls.push(word)
    else if (isAct(word)) {
      if (last?.calls.length === 0) last.acts.push(word)
      else scenes.push({ acts: [word], calls: [] })
    } else ending = word
  }
  return { scenes, ending, question }
}

const isCall = (word: Word): word is Call => word.kind === 'tool' || word.kind === 'approval'

const actKinds: readonly Word['kind'][] = ['slow', 'stream', 'reasoning', 'restart', 'disconnect_after']
const isAct = (word: Word): word is Act => actKinds.includes(word.kind)

async function* performed(act: Act, options: Options, { sleep, sample }: Tools): AsyncGenerator<Written> {
  const pause = (ms: number) => sleep(ms, options.abortSignal ?? never)
  switch (act.kind) {
    case 'slow':
      return await pause(act.ms)
    case 'stream':
      for (const piece of (await answerWith(countTo(act.words), options, sample)).text.split(
        /(?<=\S)(?=\s)/,
      )) {
        await pause(pauseMs)
        yield { type: 'text', text: piece }
      }
      return
    case 'reasoning':
      yield { type: 'reasoning', text: thought }
  }
}

/** The signal of a call that cannot be aborted. */
const never = new AbortController().signal

const countTo = (words: number): string =>
  Array.from({ length: words }, (_, index) => `word${index + 1}`).join(' ')

function* brokenOff(): Generator<Written> {
  yield { type: 'text', text: voided }
  throw new ModelError('model_invalid_response', "The model's answer broke off (simulated)", {
    retryAfterMs: 0,
  })
}

function callsOf(calls: readonly Call[], { results }: Turn, options: Options, { sample }: Tools) {
  return Promise.all(
    calls.map(async (call, place) => {
      const index = results.length + place
      if (call.kind === 'tool')
        return callOf(index, call.name, call.input ?? (await argumentsOf(call.name, options, sample)))
      const tool = toolsOf(options).find(needsApproval)
      if (tool !== undefined) return callOf(index, tool.name, await argumentsOf(tool.name, options, sample))
      throw new ModelError(
        'model_request_rejected',
        'sim:approval needs an agent with a tool in approvalTools',
      )
    }),
  )
}

const toolsOf = ({ tools = [] }: Options): LanguageModelV3FunctionTool[] =>
  tools.filter(tool => tool.type === 'function')

/** Always the same arguments for the same tool; `{}` for a tool that does not exist. */
async function argumentsOf(toolName: string, options: Options, sample: Sample): Promise<string> {
  const tool = toolsOf(options).find(({ name }) => name === toolName)
  // Our own tools have our own schemas; the package only names the type differently.
  return tool === undefined ? '{}' : JSON.stringify(await sample(tool.inputSchema as JsonSchema, 'sandbox'))
}

async function* endingOf(
  ending: Ending,
  { results, repairs }: Turn,
  options: Options,
  { sample }: Tools,
): AsyncGenerator<Written> {
  const searchWith = (input: unknown) => callOf(results.length, searchToolName, JSON.stringify(input))
  const hasSchema = options.responseFormat?.type === 'json'
  switch (ending.kind) {
    case 'output':
      yield { type: 'text', text: ending.text }
      return
    case 'failure':
      throw ending.failure
    case 'tool_error':
      // A call that the tool must refuse each time, until the run gives up.
      yield searchWith({})
      return
    case 'max_steps':
      if (!toolsOf(options).some(({ name }) => name === searchToolName))
        throw new SimulatedFailure('max_steps')
      yield searchWith({ query: 'sandbox' })
      return
    case 'output_invalid':
      if (!hasSchema) throw new SimulatedFailure('output_invalid')
      yield { type: 'text', text: unfit }
      return
    case 'repair':
      if (hasSchema && repairs === 0) yield { type: 'text', text: unfit }
      else yield await answerWith('Corrected.', options, sample)
      return
    default:
      yield { type: 'text', text: 'There would be more, but the ' }
      yield { type: 'cut', reason: ending.kind === 'output_truncated' ? 'length' : 'content-filter' }
  }
}

/** Answers the question, if there is one. Else repeats what the tools gave, or says that all is done. */
async function* answerOf(
  turn: Turn,
  { scenes, question }: Play,
  options: Options,
  { sample }: Tools,
): AsyncGenerator<Written> {
  const scripted = scenes.reduce((count, { calls }) => count + calls.length, 0)
  if (question !== '') {
    yield await extractiveStep({ ...turn, question }, options, sample, scripted)
    return
  }
  const hasWritten = scenes[turn.rounds]?.acts.some(({ kind }) => kind === 'stream') ?? false
  if (hasWritten && turn.repairs === 0) return
  const said = scripted === 0 ? 'Done, as the prompt says.' : turn.results.map(shownOf).join('\n')
  yield await answerWith(said, options, sample)
}

function shownOf(result: ToolOutput): string {
  const { toolName, output } = result
  if (hasFailed(result)) return `${toolName} failed: ${'value' in output ? output.value : output.type}`
  const { passages = [], content } = resultIn(result)
  const quotes = passages.slice(0, mostQuotes).map(quoteOf)
  const other = content === undefined ? [] : [typeof content === 'string' ? content : JSON.stringify(content)]
  const said = [...quotes, ...other].join('\n')
  return `${toolName}: ${said === '' ? 'nothing' : said.slice(0, mostSaid)}`
}

/** The passage's first sentence, cited. */
const quoteOf = ({ text, cite }: ShownPassage): string =>
  `"${(sentencesOf(text)[0]?.text ?? text).replace(/\s+/g, ' ')}" ${cite}`
