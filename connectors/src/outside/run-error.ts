/** A run cannot be carried out, or was stopped before it did harm; the message says what to do. */
export class RunError extends Error {
  override readonly name = 'RunError'
}
