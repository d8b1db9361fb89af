/** What a client takes by its `Accept`, weighed as RFC 9110 (12.5.1) says. */

export const jsonType = 'application/json'
export const eventStreamType = 'text/event-stream'

type Range = { type: string; weight: number }

/** From 0, not taken, to 1. The most specific range that names the type decides; without a header all are taken. */
export function weightOf(accept: string | undefined, mediaType: string): number {
  if (accept === undefined) return 1
  const ranges = rangesOf(accept)
  const names = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*']
  const deciding = names.flatMap(name => ranges.find(({ type }) => type === name) ?? [])[0]
  return deciding?.weight ?? 0
}

/** Whether the client names the media type of events, and wants it no less than JSON. */
export function prefersEvents(accept: string | undefined): boolean {
  if (accept === undefined || !rangesOf(accept).some(({ type }) => type === eventStreamType)) return false
  const weight = weightOf(accept, eventStreamType)
  return weight > 0 && weight >= weightOf(accept, jsonType)
}

const rangesOf = (accept: string): Range[] =>
  accept.split(',').map(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
    // A weight that is no number says nothing, and so takes nothing away.
    return { type, weight: weight === undefined || Number.isNaN(Number(weight)) ? 1 : Number(weight) }
  })
