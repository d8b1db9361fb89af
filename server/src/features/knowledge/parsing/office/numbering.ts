/** Numbers of list items as office programs write them. */

/** `format` is a word of WordprocessingML or the sample of OpenDocument: `lowerLetter` or `a`. Others become digits. */
export function numberAs(format: string, number: number): string {
  if (number < 1 || number > largest) return String(number)
  switch (format) {
    case 'lowerLetter':
    case 'a':
      return letters(number)
    case 'upperLetter':
    case 'A':
      return letters(number).toUpperCase()
    case 'lowerRoman':
    case 'i':
      return roman(number)
    case 'upperRoman':
    case 'I':
      return roman(number).toUpperCase()
    case 'decimalZero':
      return String(number).padStart(2, '0')
    default:
      return String(number)
  }
}

/** Beyond it, letters and Roman numbers are nothing that anybody reads. */
const largest = 3_999

/** a … z, aa, bb …: the letter is repeated. */
function letters(number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26))
  return letter.repeat(Math.min(8, Math.ceil(number / 26)))
}

const romanDigits: readonly (readonly [value: number, digits: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function roman(number: number): string {
  let rest = number
  let written = ''
  for (const [value, digits] of romanDigits) {
    written += digits.repeat(Math.floor(rest / value))
    rest %= value
  }
  return written
}
