/** What a setting is: its variable, how its text is read, its default, and one line of help. */

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
