/** The numbers and signs of lists in Word documents, counted as Word counts them. */
import type { WordStyles } from './docx-styles.ts'
import { numberAs } from './numbering.ts'
import { readXml } from './xml.ts'

type Level = { start: number; format: string; text: string }

/** `counter` is shared by lists that go on where another one stopped. */
type List = { counter: string; levels: ReadonlyMap<number, Level>; restarts: ReadonlyMap<number, number> }

export type Lists = ReadonlyMap<string, List>

type Abstract = { levels: Map<number, Level>; link: string | null }
type Instance = { abstract: string; levels: Map<number, Level>; restarts: Map<number, number> }

export async function readNumbering(pieces: AsyncIterable<Buffer>, styles: WordStyles): Promise<Lists> {
  const abstracts = new Map<string, Abstract>()
  const instances = new Map<string, Instance>()
  let levels: Map<number, Level> | null = null
  let abstract: Abstract | null = null
  let instance: Instance | null = null
  let level: Level | null = null
  let override = 0
  await readXml(pieces, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      const number = Number(attributes['w:ilvl'] ?? 0)
      if (name === 'w:abstractNum') {
        abstract = { levels: new Map(), link: null }
        levels = abstract.levels
        abstracts.set(attributes['w:abstractNumId'] ?? '', abstract)
      } else if (name === 'w:num') {
        instance = { abstract: '', levels: new Map(), restarts: new Map() }
        levels = instance.levels
        instances.set(attributes['w:numId'] ?? '', instance)
      } else if (name === 'w:lvl') {
        level = { start: 1, format: 'decimal', text: '' }
        levels?.set(number, level)
      } else if (name === 'w:lvlOverride') override = number
      else if (name === 'w:abstractNumId' && instance !== null) instance.abstract = value
      else if (name === 'w:startOverride') instance?.restarts.set(override, Number(value))
      else if (name === 'w:numStyleLink' && abstract !== null) abstract.link = value
      else if (name === 'w:start' && level !== null) level.start = Number(value) || 0
      else if (name === 'w:numFmt' && level !== null) level.format = value
      else if (name === 'w:lvlText' && level !== null) level.text = value
    },
    close(name) {
      if (name === 'w:lvl') level = null
    },
  })
  const listOf = ({ abstract: id, levels: own, restarts }: Instance): List => {
    const declared = abstracts.get(id)
    const linked = instances.get(styles.get(declared?.link ?? '-')?.list ?? '')
    const counter = linked?.abstract ?? id
    return { counter, levels: new Map([...(abstracts.get(counter)?.levels ?? []), ...own]), restarts }
  }
  return new Map([...instances].map(([id, instance]) => [id, listOf(instance)] as const))
}

/**
 * Answers the label of the next item of a list at a level; null where it is no item. A sign of any kind is "-". Single
 * letters of inner levels are left out: sentences run on through such items, and nobody refers to them by that.
 */
export function createNumbering(lists: Lists): (list: string, level: number) => string | null {
  const counters = new Map<string, number[]>()
  const restarted = new Set<string>()
  return (id, level) => {
    const list = lists.get(id)
    const own = list?.levels.get(level)
    if (list === undefined || own === undefined) return null
    const counts = counters.get(list.counter) ?? []
    counters.set(list.counter, counts)
    const restart = list.restarts.get(level)
    if (restart !== undefined && !restarted.has(`${id} ${level}`)) counts[level] = restart - 1
    restarted.add(`${id} ${level}`)
    counts[level] = (counts[level] ?? own.start - 1) + 1
    counts.length = level + 1
    if (own.format === 'bullet') return '-'
    if (own.format === 'none') return null
    if (level > 0 && !isNumeric(own.format) && !/%[1-9].*%[1-9]/.test(own.text)) return ''
    const label = own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const place = Number(digit) - 1
      const { format = 'decimal', start = 1 } = list.levels.get(place) ?? {}
      return numberAs(format, counts[place] ?? start)
    })
    return label.trim() === '' ? null : label.trim()
  }
}

const isNumeric = (format: string): boolean => !/letter|roman/i.test(format)
