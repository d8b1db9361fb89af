/** The `Link` header (RFC 8288), read in one walk: it is a stranger's text, on which an expression could go back and forth for long. */

/** Of `<https://api.example.com/things?page=2>; rel="next", <…>; rel="last"`, the first; a relative one belongs to `url`. */
export function nextAddress(header: string, url: string): string | null {
  for (let start = header.indexOf('<'); start !== -1; ) {
    const end = header.indexOf('>', start)
    if (end === -1) return null
    const { parameters, next } = parametersAt(header, end + 1)
    if (parameters.some(isNext)) return URL.parse(header.slice(start + 1, end), url)?.href ?? null
    start = header.indexOf('<', next)
  }
  return null
}

/** Up to the comma before the next link; what stands in quotes is text. */
function parametersAt(header: string, start: number): { parameters: string[]; next: number } {
  const parameters: string[] = []
  let [from, isQuoted] = [start, false]
  for (let at = start; at < header.length; at++) {
    const sign = header[at]
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted || (sign !== ';' && sign !== ',')) continue
    parameters.push(header.slice(from, at))
    from = at + 1
    if (sign === ',') return { parameters, next: from }
  }
  return { parameters: [...parameters, header.slice(from)], next: header.length }
}

/** `rel` may name several relations. */
function isNext(parameter: string): boolean {
  const equals = parameter.indexOf('=')
  if (equals === -1 || parameter.slice(0, equals).trim().toLowerCase() !== 'rel') return false
  const value = parameter.slice(equals + 1).trim()
  const isWhole = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  const relations = isWhole ? value.slice(1, -1) : value
  return relations.toLowerCase().split(/\s/).includes('next')
}
