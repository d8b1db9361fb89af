/** Runs one command line and returns its exit code: 0 done, 1 not done, 2 not understood. */

import { parseArgs } from 'node:util'
import { ServiceError } from '../platform/errors.ts'
import { type Faults, faultsOf } from '../platform/faults.ts'
import { nearestName } from '../platform/text/nearest-name.ts'
import { readSettings, SettingsError } from '../settings/settings.ts'
import {
  type Command,
  type CommandContext,
  type CommandInput,
  type Outcome,
  operatorCommand,
} from './command.ts'
import { connectorCommands } from './commands/connectors.ts'
import { OperatorError, UsageError } from './errors.ts'
import type { Session } from './session.ts'

/** Every command of the operator. All but the connector commands load the whole server. */
export async function readCommands(): Promise<readonly Command[]> {
  const [keys, workspaces, users, maintenance] = await Promise.all([
    import('./commands/keys.ts'),
    import('./commands/workspaces.ts'),
    import('./commands/users.ts'),
    import('./commands/maintenance.ts'),
  ])
  return [
    ...keys.keyCommands,
    ...workspaces.workspaceCommands,
    ...users.userCommands,
    ...connectorCommands,
    ...maintenance.maintenanceCommands,
  ]
}

export type Terminal = {
  environment: Record<string, string | undefined>
  print(text: string): void
  printError(text: string): void
}

/** Under `--json` exactly one JSON value is printed, and nothing else: the outcome, or `{"error": …}`. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const asJson = words.includes('--json')
  try {
    const commands = words[0] === 'connector' ? connectorCommands : await readCommands()
    if (words.length === 0 || words[0] === 'help' || words[0]?.startsWith('-'))
      return showHelp(commands, words, terminal)
    if (words.includes('--help'))
      return showHelp(
        commands,
        words.filter(word => word !== '--help'),
        terminal,
      )
    const { command, rest } = findCommand(commands, words)
    const input = parseInput(command, rest)
    const faults = faultsOf(terminal.environment)
    const outcome = await faults.within(command.name, () =>
      runInSession(terminal, asJson, faults, context => command.run(input, context)),
    )
    terminal.print(asJson ? JSON.stringify(outcome.json) : outcome.lines.join('\n'))
    return outcome.failed === true ? 1 : 0
  } catch (error) {
    if (asJson) terminal.print(JSON.stringify({ error: describe(error) }))
    else terminal.printError(textOf(error))
    return error instanceof UsageError ? 2 : 1
  }
}

async function runInSession(
  terminal: Terminal,
  asJson: boolean,
  faults: Faults,
  work: (context: CommandContext) => Promise<Outcome>,
): Promise<Outcome> {
  const settings = readSettings(terminal.environment)
  const opened: Session[] = []
  try {
    return await work({
      settings,
      open: async () => {
        const { openSession } = await import('./session.ts')
        const session = await openSession(settings, faults)
        opened.push(session)
        return session
      },
      progress: line => {
        if (!asJson) terminal.printError(line)
      },
    })
  } finally {
    for (const session of opened) await session.close()
  }
}

function showHelp(commands: readonly Command[], words: readonly string[], { print }: Terminal): 0 {
  const [first = '', second = ''] = words.filter(word => word !== 'help' && !word.startsWith('-'))
  const wanted = commands.filter(({ name }) => name === first || name === `${first} ${second}`)
  const nearby = wanted.length > 0 ? wanted : commands.filter(({ name }) => name.startsWith(`${first} `))
  print(nearby.length === 0 ? generalHelp(commands) : nearby.map(commandHelp).join('\n\n'))
  return 0
}

const generalHelp = (
  commands: readonly Command[],
) => `Atrium's operator's command: works on the data folder or DATABASE_URL, also beside a running server.

  ${operatorCommand} COMMAND … [--json]     prints one JSON value and nothing else under --json
  ${operatorCommand} COMMAND --help         explains a command

Commands:

${commands.map(({ name, summary }) => `  ${name.padEnd(20)} ${summary}`).join('\n')}

It reads the same environment variables as the server: npm start -- --help lists them.
Exit codes: 0 done, 1 not done, 2 not understood.`

function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, help }]) => {
    const text = value === null ? `--${name}` : `--${name} ${value}`
    return `  ${text.padEnd(28)} ${help}`
  })
  return [usageOf(command), `  ${command.summary}`, ...options].join('\n')
}

function describe(error: unknown): { message: string; code?: string; errors?: object[] } {
  if (error instanceof ServiceError) {
    return { code: error.code, message: error.message, errors: error.errors }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** An error as text for people: its message, with the faults, fields or cause that it has. */
function textOf(error: unknown): string {
  if (error instanceof SettingsError) return error.faults.map(fault => `atrium: ${fault}`).join('\n')
  if (error instanceof UsageError) return `atrium: ${error.message}\n        --help explains each command`
  if (error instanceof OperatorError) return `atrium: ${error.message}`
  if (error instanceof ServiceError) {
    const fields = error.errors.map(({ field, message }) => `\n        ${field} ${message}`)
    const cause = error.cause instanceof Error ? `\n        ${error.cause.message}` : ''
    return `atrium: ${error.message}${fields.join('')}${cause}`
  }
  return `atrium: ${error instanceof Error ? error.message : String(error)}`
}

// From the words of a command line to a command with its input; unknown words are refused with a hint.

/** Options that every command takes. */
const commonOptions = ['json', 'help']

/** The command that the words begin with, and the words after its name. Throws `UsageError`. */
function findCommand(commands: readonly Command[], words: readonly string[]) {
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

/** Throws `UsageError` for an unknown, repeated, missing or misused option, and for too many or too few words. */
function parseInput(command: Command, words: readonly string[]): CommandInput {
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict: the tokens give more detail than the errors of `parseArgs`.
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
function usageOf(command: Command): string {
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
