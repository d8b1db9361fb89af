/**
 * Takes a sign off the ends of a text. An expression such as `/x+$/` does the same in the square of the length: for each
 * sign it looks from there to the end of the text.
 */

/** The sign is one UTF-16 unit; it is taken off as often as it stands at the end. */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end--
  return text.slice(0, end)
}

export function withoutOuter(text: string, sign: string): string {
  let start = 0
  while (start < text.length && text[start] === sign) start++
  return withoutTrailing(text.slice(start), sign)
}
