/** From the words of a command line to a command with its input; whatever is not known is refused with a hint. */
import { parseArgs } from 'node:util'
import { nearestName } from '../platform/text/nearest-name.ts'
import { type Command, type CommandInput, operatorCommand } from './command.ts'
import { UsageError } from './errors.ts'

/** Options that every command takes. */
const commonOptions = ['json', 'help']

/** The command that the words begin with, and the words behind its name. Throws `UsageError`. */
export function findCommand(commands: readonly Command[], words: readonly string[]) {
  const [noun = '', verb = ''] = words
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = commands.find(known => known.name === name)
    if (command !== undefined) return { command, rest: words.slice(length) }
  }
  const verbs = commands.filter(({ name }) => name.startsWith(`${noun} `))
  if (verbs.length > 0) {
    const known = verbs.map(({ name }) => name.split(' ')[1] ?? '')
    const problem = verb === '' || verb.startsWith('-') ? 'what to do?' : `cannot ${verb}.`
    throw new UsageError(`${noun}: ${problem} ${hint(verb, known)}`)
  }
  const nouns = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  throw new UsageError(`${JSON.stringify(noun)} is not a command. ${hint(noun, nouns)}`)
}

/** Throws `UsageError` for an unknown, repeated, missing or misused option, and for words too many or too few. */
export function parseInput(command: Command, words: readonly string[]): CommandInput {
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict: the tokens tell more than its errors do.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(command.options).map(([name, { value }]) => [
        name,
        { type: value === null ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  })
  const values: Record<string, string> = {}
  const flags = new Set<string>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind === 'option') readOption(command, token, values, flags)
  }
  checkPositionals(command, positionals)
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required === true && values[name] === undefined) {
      throw new UsageError(`--${name} ${option.value} is required`)
    }
  }
  return { positionals, values, flags }
}

type OptionToken = {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function readOption(
  command: Command,
  { name, rawName, value, inlineValue }: OptionToken,
  values: Record<string, string>,
  flags: Set<string>,
): void {
  const option = command.options[name]
  const isCommon = commonOptions.includes(name)
  if (option === undefined && !isCommon) {
    const known = [...Object.keys(command.options), ...commonOptions].map(known => `--${known}`)
    throw new UsageError(`${rawName} is not an option of "${command.name}". ${hint(rawName, known)}`)
  }
  if (name in values || flags.has(name)) throw new UsageError(`--${name} is given twice`)
  if (option === undefined || option.value === null) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`)
    flags.add(name)
    return
  }
  const isForgotten = value === undefined || value === '' || (inlineValue !== true && value.startsWith('--'))
  if (isForgotten) throw new UsageError(`--${name} needs a value: --${name} ${option.value}`)
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw new UsageError(`--${name} must be one of ${option.choices.join(', ')}`)
  }
  values[name] = value
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const missing = command.positionals.slice(positionals.length).find(name => !name.startsWith('['))
  if (missing !== undefined) throw new UsageError(`${missing} is missing: ${usageOf(command)}`)
  const surplus = positionals[command.positionals.length]
  if (surplus !== undefined)
    throw new UsageError(`${JSON.stringify(surplus)} is too much: ${usageOf(command)}`)
}

/** One line: `npm run -s atrium -- key create --workspace W …`. */
export function usageOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, required }]) => {
    const text = value === null ? `--${name}` : `--${name} ${value}`
    return required === true ? text : `[${text}]`
  })
  return [operatorCommand, command.name, ...command.positionals, ...options, '[--json]'].join(' ')
}

function hint(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known)
  return nearest === null ? `There are: ${known.join(', ')}` : `Did you mean ${nearest}?`
}
