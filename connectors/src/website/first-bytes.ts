/** Reads a reply only up to a limit, since some replies never end. */
export async function firstBytes(response: Response, maxBytes: number) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > maxBytes) break
  }
  const bytes = new Uint8Array(Math.min(size, maxBytes))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, bytes.length - at), at)
    at += piece.byteLength
  }
  return { bytes, isWhole: size <= maxBytes }
}
