/** The places of a queue in one process, and how many of them each lane may have. */

export class Places {
  readonly #concurrency: number
  readonly #ofLane = new Map<string, number>()
  #takenCount = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  get free(): number {
    return this.#concurrency - this.#takenCount
  }

  take(lane: string): void {
    this.#takenCount++
    this.#ofLane.set(lane, (this.#ofLane.get(lane) ?? 0) + 1)
  }

  release(lane: string): void {
    this.#takenCount--
    const left = (this.#ofLane.get(lane) ?? 0) - 1
    if (left > 0) this.#ofLane.set(lane, left)
    else this.#ofLane.delete(lane)
  }

  /** Keeps places for a claim whose jobs are not known yet; a negative number gives them back. */
  keep(count: number): void {
    this.#takenCount += count
  }

  /**
   * How many more a lane may take: in all, three quarters of what other lanes leave it. So one that comes later finds a
   * place, however many came before and however long their jobs take.
   */
  roomOf(lane: string): number {
    const held = this.#ofLane.get(lane) ?? 0
    return Math.max(0, Math.ceil((3 * (this.free + held)) / 4) - held)
  }

  get roomOfNewLane(): number {
    return Math.ceil((3 * this.free) / 4)
  }

  /** Of the lanes that may not take as many. */
  roomsBelow(limit: number): Record<string, number> {
    const rooms = [...this.#ofLane.keys()].map(lane => [lane, this.roomOf(lane)] as const)
    return Object.fromEntries(rooms.filter(([, room]) => room < limit))
  }
}
