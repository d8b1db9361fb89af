/** Runs one command line and answers its exit code: 0 done, 1 not done, 2 not understood. */

import { ServiceError } from '../platform/errors.ts'
import { type Faults, faultsOf } from '../platform/faults.ts'
import { readSettings, SettingsError } from '../settings/settings.ts'
import { findCommand, parseInput, usageOf } from './arguments.ts'
import { type Command, type CommandContext, type Outcome, operatorCommand } from './command.ts'
import { connectorCommands } from './commands/connectors.ts'
import { keyCommands } from './commands/keys.ts'
import { maintenanceCommands } from './commands/maintenance.ts'
import { userCommands } from './commands/users.ts'
import { workspaceCommands } from './commands/workspaces.ts'
import { OperatorError, UsageError } from './errors.ts'
import { openSession, type Session } from './session.ts'

/** Every command of the operator. */
export const commands: readonly Command[] = [
  ...keyCommands,
  ...workspaceCommands,
  ...userCommands,
  ...connectorCommands,
  ...maintenanceCommands,
]

export type Terminal = {
  environment: Record<string, string | undefined>
  print(text: string): void
  printError(text: string): void
}

/** Under `--json` exactly one JSON value is printed, and nothing else: the outcome, or `{"error": …}`. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const asJson = words.includes('--json')
  try {
    if (words.length === 0 || words[0] === 'help' || words[0]?.startsWith('-'))
      return showHelp(words, terminal)
    if (words.includes('--help'))
      return showHelp(
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

function showHelp(words: readonly string[], { print }: Terminal): 0 {
  const [first = '', second = ''] = words.filter(word => word !== 'help' && !word.startsWith('-'))
  const wanted = commands.filter(({ name }) => name === first || name === `${first} ${second}`)
  const nearby = wanted.length > 0 ? wanted : commands.filter(({ name }) => name.startsWith(`${first} `))
  print(nearby.length === 0 ? generalHelp() : nearby.map(commandHelp).join('\n\n'))
  return 0
}

const generalHelp =
  () => `Atrium's operator's command: works on the data folder or DATABASE_URL, also beside a running server.

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

/** Foreseen failures are one line; anything else shows where it came from. */
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
