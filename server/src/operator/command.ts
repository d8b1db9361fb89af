/** The type of an operator's command: a value with its arguments, its help and its work. */
import type { Settings } from '../settings/settings.ts'
import { UsageError } from './errors.ts'
import type { Session } from './session.ts'

/** The text to type before a command, in the folder of this repository. */
export const operatorCommand = 'npm run -s atrium --'

export type CommandOption = {
  /** The placeholder for the value in the help, such as `EMAIL`; null for an option without a value. */
  value: string | null
  help: string
  required?: boolean
  /** The only values that are accepted. */
  choices?: readonly string[]
}

export type Command = {
  /** Noun and verb, such as `key create`, or one word. */
  name: string
  summary: string
  /** In order; a name in brackets, such as `[NAME]`, may be left out. */
  positionals: readonly string[]
  options: Readonly<Record<string, CommandOption>>
  run(input: CommandInput, context: CommandContext): Promise<Outcome>
}

export type CommandInput = {
  positionals: readonly string[]
  /** The given options that take a value. */
  values: Readonly<Record<string, string>>
  /** The given options that take no value. */
  flags: ReadonlySet<string>
}

export type CommandContext = {
  settings: Settings
  /**
   * Opens the database, brings its schema up to date, and makes the services. All are closed when the command ends.
   */
  open(): Promise<Session>
  /** Shows people the progress; prints nothing under `--json`. */
  progress(line: string): void
}

/** The result of a command: as JSON, and as lines for people. `failed` makes the exit code 1. */
export type Outcome = { json: object; lines: readonly string[]; failed?: boolean }

/** A command that works with the services. */
export const inSession =
  (work: (input: CommandInput, session: Session) => Promise<Outcome>): Command['run'] =>
  async (input, context) =>
    work(input, await context.open())

/** The value of a `required` option. */
export function requiredValue(input: CommandInput, option: string): string {
  const value = input.values[option]
  if (value === undefined) throw new UsageError(`--${option} is required`)
  return value
}
