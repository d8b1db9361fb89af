/** Arithmetic as a tool: exact, where a model would guess the digits. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { type Tool, ToolError } from '../../../platform/tool.ts'
import { evaluate, knownNames } from './expression.ts'
import { CalculationError, formatFraction } from './fraction.ts'

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
