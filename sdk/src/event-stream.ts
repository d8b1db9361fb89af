/** Reads server-sent events as the HTML standard writes them. */

export type ServerSentEvent = { id: string; event: string; data: string }

/** Each event once it is complete; what a broken stream left unfinished is dropped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let id = ''
  let event = ''
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, event, data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id' && !value.includes('\0')) id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
}

/** Lines end with CR LF, LF or CR. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A CR at the end may be the first half of a CR LF.
      const lines = rest.replace(/\r$/, '').split(/\r\n|\n|\r/)
      rest = (lines.pop() ?? '') + (rest.endsWith('\r') ? '\r' : '')
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
