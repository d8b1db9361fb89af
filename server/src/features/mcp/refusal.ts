/** A call of a tool that came to nothing, for a reason that the model may know and can act on. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
