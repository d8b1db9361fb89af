/** The codes that an authenticator app shows (RFC 6238: SHA-1, six digits, thirty seconds), for tests. */
import { createHmac } from 'node:crypto'

const periodMs = 30_000
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * `shift` counts periods from now. The server takes the codes of the periods before and after its own, too: one of this period
 * or the next is still right when it arrives.
 */
export function totpCode(uri: string, shift: 0 | 1 = 0): string {
  const key = base32(new URL(uri).searchParams.get('secret') ?? '')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / periodMs) + shift))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(at) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function base32(text: string): Buffer {
  let bits = ''
  for (const character of text.replaceAll('=', '')) {
    bits += alphabet.indexOf(character).toString(2).padStart(5, '0')
  }
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map(byte => Number.parseInt(byte, 2)))
}
