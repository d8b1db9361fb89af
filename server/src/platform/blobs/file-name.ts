/** Names of files. Strangers choose them, so they are made safe for records, headers and other people's folders. */
import { extname } from 'node:path'

export const maxNameLength = 255

/** Control characters, line separators and marks of text direction, which could show `txt.exe` as `exe.txt`. */
const trap = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const traps = new RegExp(trap, 'gu')

/**
 * What is wrong with a name, for the error that names its field; null if safe. A path is checked with its folders.
 */
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

/** The safe name without its folders, never empty. A name that is too long is cut before its ending. */
export const safeName = (path: string): string => shortened(segmentsOf(path).at(-1) ?? '')

/** The safe name with its folders, as a path that only leads downwards. */
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
  // The cut may separate the two halves of a character.
  return (path.slice(0, maxNameLength - ending.length) + ending).toWellFormed()
}

const slashed = (path: string): string => path.replaceAll('\\', '/')

const isStep = (segment: string): boolean => segment === '.' || segment === '..'
