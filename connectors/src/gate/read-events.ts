/** Reads a stream of events (`text/event-stream`) whose bytes have passed the gate. */

export type StreamEvent = {
  /** The fields besides the data, as they were written, each with its line end. */
  head: string
  /** Null for an event without a name. */
  name: string | null
  /** Null for an event without data. With empty data it is a sign that a reader may resume behind its id. */
  data: string | null
}

/** Each call takes the next text and returns the events that it completes. An event that is cut off is lost. */
export function createEventReader(): (text: string) => StreamEvent[] {
  /** The pieces of a line that has not ended. They are joined once, since each joining copies the whole line. */
  let begun: string[] = []
  let wasCarriageReturn = false
  let [head, name, data]: [string, string | null, string[]] = ['', null, []]

  const take = (line: string, events: StreamEvent[]): void => {
    if (line === '') {
      if (head !== '' || data.length > 0) {
        events.push({ head, name, data: data.length === 0 ? null : data.join('\n') })
      }
      ;[head, name, data] = ['', null, []]
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    else if (field === 'id' || field === 'retry') head += `${field}: ${value}\n`
  }

  return text => {
    const events: StreamEvent[] = []
    let from = 0
    for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
      const isRestOfLineEnd = index === 0 && end === '\n' && wasCarriageReturn
      if (!isRestOfLineEnd) {
        begun.push(text.slice(from, index))
        take(begun.length === 1 ? (begun[0] ?? '') : begun.join(''), events)
        begun = []
      }
      from = index + end.length
    }
    if (from < text.length) begun.push(text.slice(from))
    if (text !== '') wasCarriageReturn = text.endsWith('\r')
    return events
  }
}
