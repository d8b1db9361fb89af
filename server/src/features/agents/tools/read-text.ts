/** The beginning of a response as text, whatever it sends. */

const textTypes =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-www-form-urlencoded|graphql))/i

/** `note` says what is not in the text. */
export async function readText(
  response: Response,
  mostBytes: number,
): Promise<{ text: string; note: string | null }> {
  const mediaType = response.headers.get('content-type') ?? ''
  if (mediaType !== '' && !textTypes.test(mediaType)) {
    await response.body?.cancel()
    return { text: '', note: `The body is ${mediaType}, which is no text, and is not shown.` }
  }
  const { bytes, isWhole } = await readBytes(response, mostBytes)
  const text = decode(bytes, mediaType)
  return { text, note: isWhole ? null : `Only the first ${mostBytes} bytes of the body are shown.` }
}

async function readBytes(
  { body }: Response,
  mostBytes: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > mostBytes) return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isWhole: false }
  }
  return { bytes: Buffer.concat(chunks), isWhole: true }
}

/** An unknown encoding is read as UTF-8; what is no character becomes the replacement character. */
function decode(bytes: Uint8Array, mediaType: string): string {
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType) ?? []
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // The label is the stranger's; UTF-8 is the likeliest of all.
    return new TextDecoder().decode(bytes)
  }
}
