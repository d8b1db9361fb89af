/** What an operator's command is: a value with its arguments, its help, and what it does. */
import type { Settings } from '../settings/settings.ts'
import { UsageError } from './errors.ts'
import type { Session } from './session.ts'

/** What is pasted before a command, in the folder of this repository. */
export const operatorCommand = 'npm run -s atrium --'

export type CommandOption = {
  /** What stands for the value in the help, such as `EMAIL`; null for an option that takes none. */
  value: string | null
  help: string
  required?: boolean
  /** The only values that are taken. */
  choices?: readonly string[]
}

export type Command = {
  /** Noun and verb, such as `key create`, or one word. */
  name: string
  summary: string
  /** In their order; those in brackets, such as `[NAME]`, may be left out. */
  positionals: readonly string[]
  options: Readonly<Record<string, CommandOption>>
  run(input: CommandInput, context: CommandContext): Promise<Outcome>
}

export type CommandInput = {
  positionals: readonly string[]
  /** Of the options that take a value, those that were given. */
  values: Readonly<Record<string, string>>
  /** Of the options that take none, those that were given. */
  flags: ReadonlySet<string>
}

export type CommandContext = {
  settings: Settings
  /** Opens the database, brings its schema up to date, and makes the services; closed when the command ends. */
  open(): Promise<Session>
  /** Tells people how far it is; says nothing under `--json`. */
  progress(line: string): void
}

/** What a command has to say: as JSON, and as lines for people. `failed` makes the exit code 1. */
export type Outcome = { json: object; lines: readonly string[]; failed?: boolean }

/** A command that works with the services. */
export const inSession =
  (work: (input: CommandInput, session: Session) => Promise<Outcome>): Command['run'] =>
  async (input, context) =>
    work(input, await context.open())

/** The value of an option that is `required`. */
export function requiredValue(input: CommandInput, option: string): string {
  const value = input.values[option]
  if (value === undefined) throw new UsageError(`--${option} is required`)
  return value
}
