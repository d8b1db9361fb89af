/** New ids in the order of old ones: what is imported sorts as it did, and equal scores stay in their order. */
import { randomBytes } from 'node:crypto'
import { type IdKind, idPrefixes } from '../../../platform/ids.ts'
import { damaged } from './format.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const idLength = 26

/** Adds the same random number to each id: new ids cannot be guessed, and two ids never become the same. */
export function createIdShift(): (kind: IdKind, id: string) => string {
  const shift = BigInt(`0x${randomBytes(8).toString('hex')}`)
  return (kind, id) => {
    const prefix = `${idPrefixes[kind]}_`
    if (!id.startsWith(prefix)) throw damaged(`${id.slice(0, 40)} is not the id of a ${kind}`)
    let number = shift
    let place = 1n
    for (const digit of id.slice(prefix.length).split('').reverse()) {
      number += BigInt(alphabet.indexOf(digit)) * place
      place *= 32n
    }
    let text = ''
    for (let rest = number; text.length < idLength; rest /= 32n) text = alphabet[Number(rest % 32n)] + text
    if (number >= place) throw damaged(`${id} lies beyond all times`)
    return prefix + text
  }
}
