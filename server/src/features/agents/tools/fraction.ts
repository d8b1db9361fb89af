/** Exact numbers: fractions of whole numbers, bounded in length so that no sum can fill the memory. */
import { withoutTrailing } from '@atrium/connectors/trim'

export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/** The message is public: the model that asked for the calculation receives it. */
export class CalculationError extends Error {
  override readonly name = 'CalculationError'
}

/** About 2,400 decimal digits. */
const maxBits = 8_000
const maxExponent = 10_000
/** The digits of a number that is not shown exactly. */
const shownDigits = 30
/** A finite decimal of up to this many places is shown whole. */
const exactPlaces = 30

export const fraction = (numerator: bigint, denominator = 1n): Fraction => {
  if (denominator === 0n) throw new CalculationError('Division by zero')
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(absolute(numerator), absolute(denominator)) * sign
  const reduced = { numerator: numerator / divisor, denominator: denominator / divisor }
  if (bitsOf(reduced.numerator) > maxBits || bitsOf(reduced.denominator) > maxBits) throw tooLarge()
  return reduced
}

export const add = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

export const negate = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: -numerator,
  denominator,
})

export const subtract = (a: Fraction, b: Fraction): Fraction => add(a, negate(b))

export const multiply = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.numerator, a.denominator * b.denominator)

export const divide = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator, a.denominator * b.numerator)

export const compare = (a: Fraction, b: Fraction): number => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** The largest whole number that is not above the value. */
export const floor = ({ numerator, denominator }: Fraction): bigint => {
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}

/** The rest of a division, with the sign of the divisor: 7 mod -2 is -1. */
export const modulo = (a: Fraction, b: Fraction): Fraction =>
  subtract(a, multiply(b, fraction(floor(divide(a, b)))))

/** Half goes away from zero, as in school: 2.5 becomes 3, -2.5 becomes -3. */
export function round(value: Fraction, places: number): Fraction {
  const scale = 10n ** BigInt(Math.abs(places))
  const scaled = places < 0 ? divide(value, fraction(scale)) : multiply(value, fraction(scale))
  const half = fraction(1n, 2n)
  const whole = scaled.numerator < 0n ? -floor(add(negate(scaled), half)) : floor(add(scaled, half))
  return places < 0 ? fraction(whole * scale) : fraction(whole, scale)
}

/** Exact, because the exponent is a whole number. */
export function power(base: Fraction, exponent: bigint): Fraction {
  if (absolute(exponent) > BigInt(maxExponent)) throw tooLarge()
  const size = Math.max(bitsOf(base.numerator), bitsOf(base.denominator))
  // Checked before the power is taken: 9^9^9 would fill the memory. Powers of one do not grow.
  if (size > 1 && (size - 1) * Number(absolute(exponent)) > maxBits) throw tooLarge()
  const raised = fraction(base.numerator ** absolute(exponent), base.denominator ** absolute(exponent))
  return exponent < 0n ? divide(fraction(1n), raised) : raised
}

/** Exact if the root is a fraction, else correct to about 40 digits. */
export function squareRoot(value: Fraction): Fraction {
  if (value.numerator < 0n) throw new CalculationError('There is no square root of a negative number')
  const [top, bottom] = [wholeRoot(value.numerator), wholeRoot(value.denominator)]
  if (top * top === value.numerator && bottom * bottom === value.denominator) return fraction(top, bottom)
  // The root of the numerator times the denominator, over the denominator, with room for digits.
  const scale = 10n ** 40n
  const root = wholeRoot(value.numerator * value.denominator * scale * scale)
  return fraction(root, value.denominator * scale)
}

export function fromNumber(value: number): Fraction {
  if (!Number.isFinite(value)) throw new CalculationError('The result is not a number')
  return parseDecimal(String(value))
}

/** Nearest number of double precision. */
export function toNumber(value: Fraction): number {
  const result = Number(formatFraction(value).text)
  if (!Number.isFinite(result)) throw tooLarge()
  return result
}

/** Digits with an optional point and exponent, such as `12.50` or `1e-3`. */
export function parseDecimal(text: string): Fraction {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole.length + decimals.length > maxDigits || Math.abs(Number(exponent)) > maxDigits) throw tooLarge()
  const digits = BigInt(`${whole}${decimals}` || '0')
  const places = decimals.length - Number(exponent)
  const value =
    places >= 0 ? fraction(digits, 10n ** BigInt(places)) : fraction(digits * 10n ** BigInt(-places))
  return sign === '-' ? negate(value) : value
}

const maxDigits = 2_000

/** As a decimal number: whole if it ends within 30 places, else rounded to 30 digits. */
export function formatFraction(value: Fraction): { text: string; isExact: boolean } {
  if (value.numerator < 0n) {
    const { text, isExact } = formatFraction(negate(value))
    return { text: `-${text}`, isExact }
  }
  const scale = 10n ** BigInt(exactPlaces)
  const scaled = value.numerator * scale
  if (scaled % value.denominator === 0n) {
    return { text: decimalText(scaled / value.denominator, exactPlaces), isExact: true }
  }
  const magnitude = digitsOf(value.numerator) - digitsOf(value.denominator)
  const places = shownDigits - magnitude
  const rounded = round(value, places)
  return { text: textAt(rounded, places), isExact: false }
}

function textAt(value: Fraction, places: number): string {
  if (places <= 0) return String(value.numerator)
  return decimalText((value.numerator * 10n ** BigInt(places)) / value.denominator, places)
}

/** `12500` with 3 places is `12.5`. */
function decimalText(digits: bigint, places: number): string {
  const text = String(digits).padStart(places + 1, '0')
  const decimals = withoutTrailing(text.slice(text.length - places), '0')
  return decimals === '' ? text.slice(0, -places) : `${text.slice(0, -places)}.${decimals}`
}

/** Uses Newton's method, from a power of two that is not below the root. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(bitsOf(value) / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger === 0n ? 1n : larger
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

const bitsOf = (value: bigint): number => absolute(value).toString(16).length * 4

const digitsOf = (value: bigint): number => absolute(value).toString().length

const tooLarge = (): CalculationError =>
  new CalculationError('A number on the way is larger than about 2,000 digits')
