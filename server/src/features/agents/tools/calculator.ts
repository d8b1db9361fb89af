/** Arithmetic as a tool: exact, where a model would guess the digits. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { type Tool, ToolError } from '../../../platform/tool.ts'
import {
  add,
  CalculationError,
  compare,
  divide,
  type Fraction,
  floor,
  formatFraction,
  fraction,
  fromNumber,
  modulo,
  multiply,
  negate,
  parseDecimal,
  power,
  round,
  squareRoot,
  subtract,
  toNumber,
} from './fraction.ts'

/** `isExact` is false if a function or constant without an exact value was used, such as a sine or pi. */
type Result = { value: Fraction; isExact: boolean }

const maxDepth = 100
const maxFactorial = 1_000n

/** Throws `CalculationError`, which says where the text is wrong or why it has no value. */
export function evaluate(text: string): Result {
  const parser = new Parser(tokensOf(text))
  const value = parser.expression(0)
  parser.end()
  return { value, isExact: parser.isExact }
}

type Token = { kind: 'number' | 'name' | 'sign'; text: string; at: number }

function tokensOf(text: string): Token[] {
  const pattern =
    /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*|π)|(\*\*|[-+*/^%(),!×÷−·]))/uy
  const tokens: Token[] = []
  let at = 0
  const end = text.trimEnd().length
  while (at < end) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) throw unexpected(text.slice(at).trim().slice(0, 20), at)
    const [whole, number, name, sign] = match
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else tokens.push({ kind: 'sign', text: spelled[sign ?? ''] ?? sign ?? '', at })
    at += whole.length
  }
  return tokens
}

/** Signs that are written in several ways. */
const spelled: Readonly<Record<string, string>> = { '**': '^', '×': '*', '·': '*', '÷': '/', '−': '-' }

/** How strongly a sign between two numbers binds; `^` binds to the right. */
const strengths: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, mod: 2, '^': 4 }
const strengthOfMinus = 3

class Parser {
  /** False once a function or constant without an exact value was used. */
  isExact = true
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  end(): void {
    const token = this.#tokens[this.#next]
    if (token !== undefined) throw unexpected(token.text, token.at)
  }

  /** Reads operators that bind at least as strongly as `weakest`. */
  expression(weakest: number): Fraction {
    if (++this.#depth > maxDepth) throw new CalculationError(`More than ${maxDepth} levels deep`)
    let value = this.#operand()
    for (;;) {
      const sign = this.#tokens[this.#next]?.text ?? ''
      const strength = Object.hasOwn(strengths, sign) ? strengths[sign] : undefined
      if (strength === undefined || strength < weakest) break
      this.#next++
      const other = this.expression(sign === '^' ? strength : strength + 1)
      value = this.#combine(sign, value, other)
    }
    this.#depth--
    return value
  }

  #operand(): Fraction {
    const token = this.#tokens[this.#next++]
    if (token === undefined) throw new CalculationError('The expression ends too early')
    if (token.kind === 'number') return this.#withFactorials(parseDecimal(token.text))
    if (token.kind === 'name') return this.#withFactorials(this.#named(token))
    if (token.text === '-') return negate(this.expression(strengthOfMinus))
    if (token.text === '+') return this.expression(strengthOfMinus)
    if (token.text !== '(') throw unexpected(token.text, token.at)
    const value = this.expression(0)
    this.#take(')')
    return this.#withFactorials(value)
  }

  #withFactorials(operand: Fraction): Fraction {
    let value = operand
    while (this.#tokens[this.#next]?.text === '!') {
      this.#next++
      value = factorial(value)
    }
    return value
  }

  #combine(sign: string, a: Fraction, b: Fraction): Fraction {
    if (sign === '+') return add(a, b)
    if (sign === '-') return subtract(a, b)
    if (sign === '*') return multiply(a, b)
    if (sign === '/') return divide(a, b)
    if (sign === '^') return this.#power(a, b)
    return modulo(a, b)
  }

  #power(base: Fraction, exponent: Fraction): Fraction {
    if (exponent.denominator === 1n) return power(base, exponent.numerator)
    this.isExact = false
    if (exponent.denominator === 2n && base.numerator >= 0n) {
      return power(squareRoot(base), exponent.numerator)
    }
    return fromNumber(toNumber(base) ** toNumber(exponent))
  }

  #named({ text, at }: Token): Fraction {
    const name = text.toLowerCase()
    if (Object.hasOwn(constants, name)) {
      this.isExact = false
      return parseDecimal(constants[name] ?? '')
    }
    const known = Object.hasOwn(exactFunctions, name) ? exactFunctions[name] : undefined
    const approximate = Object.hasOwn(approximateFunctions, name) ? approximateFunctions[name] : undefined
    if (known === undefined && approximate === undefined) {
      throw new CalculationError(`There is no ${text} (at character ${at + 1}); there are ${knownNames}`)
    }
    const values = this.#arguments()
    if (known !== undefined) return known(values)
    if (name !== 'sqrt' || !isSquare(values[0])) this.isExact = false
    return approximate?.(values) ?? fraction(0n)
  }

  #arguments(): Fraction[] {
    this.#take('(')
    const values = [this.expression(0)]
    while (this.#tokens[this.#next]?.text === ',') {
      this.#next++
      values.push(this.expression(0))
    }
    this.#take(')')
    return values
  }

  #take(sign: string): void {
    const token = this.#tokens[this.#next++]
    if (token === undefined) throw new CalculationError(`A ${sign} is missing at the end`)
    if (token.text !== sign) throw unexpected(token.text, token.at)
  }
}

/** Constants to 40 decimal places. */
const constants: Readonly<Record<string, string>> = {
  pi: '3.1415926535897932384626433832795028841972',
  π: '3.1415926535897932384626433832795028841972',
  e: '2.7182818284590452353602874713526624977572',
}

type Calculate = (values: readonly Fraction[]) => Fraction

const exactFunctions: Readonly<Record<string, Calculate>> = {
  abs: of(value => (value.numerator < 0n ? negate(value) : value)),
  floor: of(value => fraction(floor(value))),
  ceil: of(value => fraction(-floor(negate(value)))),
  round: values => {
    const [value = fraction(0n), places = fraction(0n)] = values
    if (values.length > 2)
      throw new CalculationError('round takes a number and, if wanted, the decimal places')
    if (places.denominator !== 1n || places.numerator < -100n || places.numerator > 100n) {
      throw new CalculationError('The decimal places of round are a whole number from -100 to 100')
    }
    return round(value, Number(places.numerator))
  },
  min: values => values.reduce((least, value) => (compare(value, least) < 0 ? value : least)),
  max: values => values.reduce((most, value) => (compare(value, most) > 0 ? value : most)),
  sum: values => values.reduce(add),
  mean: values => divide(values.reduce(add), fraction(BigInt(values.length))),
}

const approximateFunctions: Readonly<Record<string, Calculate>> = {
  sqrt: of(squareRoot),
  cbrt: byNumbers(Math.cbrt),
  exp: byNumbers(Math.exp),
  ln: byNumbers(Math.log),
  log: byNumbers(Math.log10),
  log10: byNumbers(Math.log10),
  log2: byNumbers(Math.log2),
  sin: byNumbers(Math.sin),
  cos: byNumbers(Math.cos),
  tan: byNumbers(Math.tan),
  asin: byNumbers(Math.asin),
  acos: byNumbers(Math.acos),
  atan: byNumbers(Math.atan),
}

const knownNames = [...Object.keys(exactFunctions), ...Object.keys(approximateFunctions), 'pi', 'e'].join(
  ', ',
)

function of(calculate: (value: Fraction) => Fraction): Calculate {
  return ([value, ...others]) => {
    if (value === undefined || others.length > 0) throw new CalculationError('The function takes one number')
    return calculate(value)
  }
}

function byNumbers(calculate: (value: number) => number): Calculate {
  return of(value => {
    const result = calculate(toNumber(value))
    if (Number.isNaN(result)) throw new CalculationError('The function has no value there')
    return fromNumber(result)
  })
}

const isSquare = (value: Fraction | undefined): boolean => {
  if (value === undefined || value.numerator < 0n) return false
  const root = squareRoot(value)
  return compare(multiply(root, root), value) === 0
}

function factorial({ numerator, denominator }: Fraction): Fraction {
  if (denominator !== 1n || numerator < 0n || numerator > maxFactorial) {
    throw new CalculationError(`A factorial is taken of whole numbers from 0 to ${maxFactorial}`)
  }
  let product = 1n
  for (let factor = 2n; factor <= numerator; factor++) product *= factor
  return fraction(product)
}

const unexpected = (text: string, at: number): CalculationError =>
  new CalculationError(`Unexpected "${text}" at character ${at + 1}`)

const CalculatorInput = Type.Closed({
  expression: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: `What to work out, such as (1200 - 85.5) * 1.19. Signs: + - * / ^ ! and % for the rest of a division; functions and constants: ${knownNames}. Angles are in radians; log is to base 10, ln to base e.`,
    examples: ['(1200 - 85.5) * 1.19'],
  }),
})

const CalculatorOutput = Type.Closed({
  result: Type.String({ description: 'The value as a decimal number.' }),
  isExact: Type.Boolean({
    description: 'False where the value was rounded: to 30 digits, or to 15 with functions such as a sine.',
  }),
})

export const calculatorTool: Tool = {
  name: 'calculator',
  description:
    'Works out an arithmetic expression exactly: decimals are not rounded, and whole numbers may have hundreds of digits. Use it for every calculation.',
  permission: 'agents:run',
  safeToRepeat: true,
  needsApproval: false,
  input: CalculatorInput,
  output: CalculatorOutput,
  async run(_, input) {
    const { expression } = input as Static<typeof CalculatorInput>
    try {
      const { value, isExact } = evaluate(expression)
      const shown = formatFraction(value)
      return { content: { result: shown.text, isExact: isExact && shown.isExact } }
    } catch (error) {
      if (error instanceof CalculationError) throw new ToolError(error.message, { cause: error })
      throw error
    }
  },
}
