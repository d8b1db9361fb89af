/** Names of files, which strangers choose: they go into records, headers and other people's folders, and so hold no trap for any. */
import { extname } from 'node:path'

export const maxNameLength = 255

/** Control characters, line separators, and what turns the order of characters round, so that `txt.exe` is shown as `exe.txt`. */
const trap = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const traps = new RegExp(trap, 'gu')

/** What such a name must be, for the error that names its field; null if it is. A path is judged with its folders. */
export function faultOfName(path: string): string | null {
  if (!path.isWellFormed() || trap.test(path)) {
    return 'must have no control character, and none that changes the direction of writing'
  }
  const segments = slashed(path).split('/')
  if (segments.some(isStep)) return 'must be a name, not a path that leads to another folder by `..` or `.`'
  if ((segments.at(-1) ?? '').length > maxNameLength) {
    return `must be a file name of at most ${maxNameLength} characters`
  }
  return null
}

/** The name without its folders, safe wherever it goes; never empty. What is cut keeps its ending. */
export const safeName = (path: string): string => shortened(segmentsOf(path).at(-1) ?? '')

/** The same with its folders, as a path that leads nowhere but downwards. */
export const safePath = (path: string): string => shortened(segmentsOf(path).join('/'))

function segmentsOf(path: string): string[] {
  const plain = slashed(path.toWellFormed()).replaceAll(traps, '')
  const segments = plain
    .replace(/^[A-Za-z]:(?=\/|$)/, '')
    .split('/')
    .map(segment => segment.trim())
  return segments.filter(segment => segment !== '' && !isStep(segment))
}

function shortened(path: string): string {
  if (path === '') return 'unnamed'
  if (path.length <= maxNameLength) return path
  const ending = extname(path).slice(0, maxNameLength >> 1)
  // A cut may part the two halves of a character.
  return (path.slice(0, maxNameLength - ending.length) + ending).toWellFormed()
}

const slashed = (path: string): string => path.replaceAll('\\', '/')

const isStep = (segment: string): boolean => segment === '.' || segment === '..'
