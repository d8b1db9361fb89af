/** Subtitles (SubRip, WebVTT): the spoken words as running text, with the time before each passage. */
import { decodeText } from '../encoding.ts'
import type { Reader } from '../reader.ts'
import { onOneLine } from '../text-writer.ts'

type Cue = { startSeconds: number; endSeconds: number; text: string }

export const readSubtitles: Reader = async (source, writer) => {
  let passage: Cue | null = null
  const write = (): void => {
    if (passage !== null) writer.add('paragraph', `[${clock(passage.startSeconds)}] ${passage.text}`)
  }
  for (const cue of cuesIn(decodeText(await source.bytes()))) {
    if (passage !== null && goesOn(passage, cue)) {
      passage.text += ` ${cue.text}`
      passage.endSeconds = cue.endSeconds
    } else {
      write()
      passage = cue
    }
  }
  write()
  return {}
}

const pauseSeconds = 3
const passageLength = 500
const maxPassageLength = 2_000

/** A passage ends at a pause, or with a sentence once it is long. */
function goesOn(passage: Cue, next: Cue): boolean {
  if (next.startSeconds - passage.endSeconds > pauseSeconds || next.startSeconds < passage.startSeconds)
    return false
  const { length } = passage.text
  if (length < passageLength) return true
  return length < maxPassageLength && !/[.!?…。！？]["'”»)]*$/.test(passage.text.slice(-8))
}

const timing =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/

/**
 * A cue is a line of times and the lines after it, up to an empty line. A number or a name may stand before the cue.
 */
function* cuesIn(source: string): Generator<Cue> {
  let open: Cue | null = null
  for (const line of source.replace(/\r\n?/g, '\n').split('\n')) {
    const found = timing.exec(line)
    if (found !== null) {
      if (open !== null) yield* spoken(open)
      open = {
        startSeconds: secondsOf(found.slice(1, 5)),
        endSeconds: secondsOf(found.slice(5, 9)),
        text: '',
      }
    } else if (line.trim() === '') {
      if (open !== null) yield* spoken(open)
      open = null
    } else if (open !== null) {
      open.text += ` ${line}`
    }
  }
  if (open !== null) yield* spoken(open)
}

function* spoken(cue: Cue): Generator<Cue> {
  const text = onOneLine(withoutTags(cue.text))
  if (text !== '') yield { ...cue, text }
}

/** `<v Mary>` names the speaker. Other tags and `{\an8}` only change the display. */
const withoutTags = (text: string): string =>
  text
    .replace(/<v(?:\.[^\s>]{0,100})?\s+([^>]{1,100})>/g, '$1: ')
    .replace(/<\/?[a-z][^>]{0,100}>|<\d[\d:.]{0,20}>|\{\\[^}]{0,100}\}/gi, '')

const secondsOf = ([hours, minutes, seconds]: readonly (string | undefined)[]): number =>
  Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(seconds)

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
