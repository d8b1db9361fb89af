/** What a setting is: its variable, how its text is read, its default, and one line of help. */
import { readFileSync } from 'node:fs'

export type Setting<Value> = {
  variable: string
  /** Turns the text into the value; throws an Error that says what is expected. */
  parse: (text: string) => Value
  default: Value
  help: string
  /** Never printed, neither by --help nor in a fault. */
  secret?: boolean
}

export const setting = <Value>(
  variable: string,
  parse: (text: string) => Value,
  byDefault: NoInfer<Value>,
  help: string,
): Setting<Value> => ({ variable, parse, default: byDefault, help })

export const secret = <Value>(
  variable: string,
  parse: (text: string) => Value,
  byDefault: NoInfer<Value>,
  help: string,
): Setting<Value> => ({ ...setting(variable, parse, byDefault, help), secret: true })

export type Environment = Readonly<Record<string, string | undefined>>

/** Throws the whole line that tells the fault, without the value of a secret. */
export function readSetting(definition: Setting<unknown>, environment: Environment): unknown {
  const { variable, secret: isSecret = false } = definition
  const direct = environment[variable] ?? ''
  const file = isSecret ? (environment[fileVariable(variable)] ?? '') : ''
  if (direct !== '' && file !== '') {
    throw new Error(`${variable}: ${fileVariable(variable)} is set, too; set one of the two`)
  }
  const given = file === '' ? direct : readSecretFile(fileVariable(variable), file)
  if (given === '') return definition.default
  try {
    return definition.parse(given)
  } catch (error) {
    const shown = isSecret ? 'the value' : JSON.stringify(given)
    throw new Error(
      `${file === '' ? variable : fileVariable(variable)}: ${shown} ${(error as Error).message}`,
    )
  }
}

/** A secret setting's other variable: it names the file that holds the value. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

/** Without the space around it: most editors and commands end a file with a new line. */
function readSecretFile(variable: string, file: string): string {
  let content: string
  try {
    content = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(
      `${variable}: ${JSON.stringify(file)} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
  if (content === '') throw new Error(`${variable}: ${JSON.stringify(file)} is empty`)
  return content
}
