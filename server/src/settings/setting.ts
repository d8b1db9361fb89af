/** What a setting is: its variable, its default, one line of help, and how its text becomes its value. */

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { withoutTrailing } from '@atrium/connectors/trim'
import { dayMs, hourMs } from '../platform/clock.ts'

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

/** None by default. */
export const secret = <Value>(
  variable: string,
  parse: (text: string) => Value,
  help: string,
): Setting<Value | null> => ({ ...setting(variable, optional(parse), null, help), secret: true })

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

// How the text of a setting becomes its value: each throws an Error that says what is expected.

export function text(value: string): string {
  if (value.trim() === '') throw new Error('is empty')
  return value
}

export function textOf(minLength: number): (value: string) => string {
  return value => {
    if (value.length < minLength) throw new Error(`must have at least ${minLength} characters`)
    return value
  }
}

export function optional<Value>(parse: (value: string) => Value): (value: string) => Value | null {
  return parse
}

export function wholeNumber(min: number, max: number): (value: string) => number {
  return value => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return number
  }
}

export function seconds(min: number, max: number): (value: string) => number {
  return value => wholeNumber(min, max)(value) * 1000
}

/** A number of hours, as milliseconds. */
export function hours(min: number, max: number): (value: string) => number {
  return value => wholeNumber(min, max)(value) * hourMs
}

/** A number of days, as milliseconds. */
export function days(min: number, max: number): (value: string) => number {
  return value => wholeNumber(min, max)(value) * dayMs
}

export function oneOf<const Value extends string>(values: readonly Value[]): (value: string) => Value {
  return value => {
    const found = values.find(candidate => candidate === value)
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return found
  }
}

/** A program and its words, parted by spaces, one of which holds `{file}`. No shell ever sees it. */
export function command(value: string): [program: string, ...words: string[]] {
  const [program, ...words] = value.trim().split(/\s+/)
  if (program === undefined || program === '' || !words.some(word => word.includes('{file}'))) {
    throw new Error('must be a program and its words, with {file} where the file goes')
  }
  return [program, ...words]
}

/** A language as Tesseract calls it, such as eng or chi_sim. */
export function languageCode(value: string): string {
  if (!/^[a-z]{3}(_[a-z]{1,10}){0,2}$/.test(value))
    throw new Error('must be languages as Tesseract calls them, such as eng,deu,chi_sim')
  return value
}

export function list<Value>(parse: (value: string) => Value): (value: string) => Value[] {
  return value =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '')
      .map(parse)
}

export function urlOf(protocols: readonly string[]): (value: string) => string {
  return value => {
    const isOfProtocol = protocols.some(name => value.toLowerCase().startsWith(`${name}//`))
    if (isOfProtocol && !URL.canParse(value)) {
      throw new Error(
        'cannot be read as an address: check host and port, and percent-encode other characters in user and password, such as %23 for # and %40 for @',
      )
    }
    if (!isOfProtocol) {
      throw new Error(
        `must be an address that begins with ${protocols.map(name => `${name}//`).join(' or ')}`,
      )
    }
    return value
  }
}

export function httpUrl(value: string): string {
  return withoutTrailing(urlOf(['http:', 'https:'])(value), '/')
}

export function origin(value: string): string {
  const url = httpUrl(value)
  if (new URL(url).origin !== url) throw new Error('must be an origin such as https://app.example.com')
  return url
}

export function address(value: string): string {
  const [ip = '', bits] = value.split('/')
  const family = isIP(ip)
  const maxBits = family === 4 ? 32 : 128
  if (family === 0 || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= maxBits))) {
    throw new Error('must be an IP address or a CIDR such as 10.0.0.0/8')
  }
  return value
}
