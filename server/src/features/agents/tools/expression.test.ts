/** What the calculator works out, exactly, and what it refuses instead of running for ever or running code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from './calculator.ts'
import { CalculationError, formatFraction } from './fraction.ts'

const shown = (text: string): string => formatFraction(evaluate(text).value).text

for (const [expression, value] of [
  ['0.1 + 0.2', '0.3'],
  ['(1200 - 85.5) * 1.19', '1326.255'],
  ['100 * (1 + 0.05)^10', '162.889462677744140625'],
  ['-2^2', '-4'],
  ['2^3^2', '512'],
  ['2^-3', '0.125'],
  ['2*-3', '-6'],
  ['7 % -2', '-1'],
  ['10 mod 3', '1'],
  ['5! / 3!', '20'],
  ['sqrt(16) + 4 ** 0.5', '6'],
  ['round(2.345, 2) - round(-2.5)', '5.35'],
  ['round(1234, -2)', '1200'],
  ['max(1, 2, 3) + min(1, 2) + sum(1, 2) + mean(1, 2)', '8.5'],
  ['123456789012345678901234567890 * 9', '1111111101111111110111111111010'],
  ['1 / 3', '0.333333333333333333333333333333'],
  ['2 × 3 ÷ 4 − 1', '0.5'],
  ['floor(-1.5) + ceil(-1.5) + abs(-1)', '-2'],
  ['sin(0) + cos(0) + ln(1) + log(1000)', '4'],
] as const) {
  test(`${expression} is ${value}`, () => assert.equal(shown(expression), value))
}

test('whatever is rounded says so, and whatever is not does not', () => {
  const isExact = (text: string) => {
    const { value, isExact: wasExact } = evaluate(text)
    return wasExact && formatFraction(value).isExact
  }
  for (const text of ['0.1 + 0.2', 'sqrt(0.25)', '1e-20']) assert.equal(isExact(text), true, text)
  for (const text of ['1 / 3', 'sqrt(2)', 'pi', 'exp(1)']) assert.equal(isExact(text), false, text)
})

for (const [expression, why] of [
  ['1 / 0', /Division by zero/],
  ['9^9^9', /larger than/],
  ['2^99999999999999999999', /larger than/],
  ['1e999999', /larger than/],
  ['1000!', /larger than/],
  ['99999!', /factorial/],
  ['0.5!', /factorial/],
  ['sqrt(-1)', /negative/],
  ['ln(0)', /not a number/],
  ['asin(2)', /no value/],
  ['2 +', /ends too early/],
  ['(1', /missing at the end/],
  ['1 2', /Unexpected "2" at character 2/],
  ['constructor.constructor("return 1")()', /Unexpected/],
  ['__proto__', /no __proto__/],
  ['process.exit()', /Unexpected/],
  ['a = 1', /Unexpected "= 1"/],
  [`${'('.repeat(500)}1${')'.repeat(500)}`, /levels deep/],
  [`${'-'.repeat(1_900)}1`, /levels deep/],
] as const) {
  test(`${expression.slice(0, 40)} is refused: ${why.source}`, () => {
    assert.throws(
      () => evaluate(expression),
      error => error instanceof CalculationError && why.test(error.message),
    )
  })
}

test('random sums of random numbers are what whole numbers make of them', () => {
  for (let round = 0; round < 200; round++) {
    const [a, b, c] = Array.from({ length: 3 }, () => BigInt(Math.floor(Math.random() * 1e15)))
    assert.equal(shown(`${a} * ${b} - ${c}`), String((a ?? 0n) * (b ?? 0n) - (c ?? 0n)))
  }
})
