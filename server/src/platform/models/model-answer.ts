/** An answer of a model's server, whose bytes are taken as they come: a web stream for each would cost more than the reading. */

/** More than this waits in memory for its reader only where the server sends no smaller pieces. */
const mostWaitingBytes = 256 * 1024

/** Of the connection that the bytes come from. */
type Flow = { pause(): void; resume(): void; abort(reason: Error): void }

/** Bytes between the connection and the one who reads them. */
export class ArrivingBytes implements AsyncIterable<Buffer>, AsyncIterator<Buffer> {
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #flow: Flow | null = null
  #end: { error: Error | null } | null = null
  #wake: (() => void) | null = null

  get hasEnded(): boolean {
    return this.#end !== null
  }

  /** Called once the connection has been given the request. */
  from(flow: Flow): void {
    this.#flow = flow
  }

  add(piece: Buffer): void {
    this.#waiting.push(piece)
    this.#waitingBytes += piece.length
    if (this.#waitingBytes > mostWaitingBytes) this.#flow?.pause()
    this.#wake?.()
  }

  /** The error comes behind the bytes before it. */
  end(error: Error | null): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const piece = this.#waiting.shift()
    if (piece !== undefined) {
      this.#waitingBytes -= piece.length
      if (this.#waiting.length === 0) this.#flow?.resume()
      return Promise.resolve({ value: piece, done: false })
    }
    if (this.#end === null) return this.#more().then(() => this.next())
    if (this.#end.error !== null) return Promise.reject(this.#end.error)
    return Promise.resolve({ value: undefined, done: true })
  }

  #more(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }

  /** Who stops reading leaves nothing for others: the connection is closed. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#waiting = []
    if (this.#end === null) {
      this.end(null)
      this.#flow?.abort(new Error('The rest of the answer is not read'))
    }
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

type Status = { status: number; statusText: string; headers: Headers }

/** What is used of a `Response`: what it does with its body is done with the bytes, once it is asked for. */
export class ModelAnswer implements Pick<Response, 'ok' | 'status' | 'statusText' | 'headers' | 'body'> {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly arriving: ArrivingBytes
  #body: ReadableStream | null = null

  constructor(arriving: ArrivingBytes, { status, statusText, headers }: Status) {
    this.arriving = arriving
    this.status = status
    this.statusText = statusText
    this.headers = headers
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): ReadableStream {
    this.#body ??= ReadableStream.from(this.arriving)
    return this.#body
  }

  async text(): Promise<string> {
    return Buffer.concat(await Array.fromAsync(this.arriving)).toString('utf8')
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}
