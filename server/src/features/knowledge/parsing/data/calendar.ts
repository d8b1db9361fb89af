/**
 * Calendars (iCalendar, RFC 5545): events and tasks with summary, time, place and people. Repetitions are not
 * unrolled.
 */
import { decodeText } from '../encoding.ts'
import type { Reader } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'

type Property = { name: string; parameters: ReadonlyMap<string, string>; value: string }

/** The properties between BEGIN and END, without those of nested components such as alarms. */
type Component = { kind: string; properties: Property[] }

export const readCalendar: Reader = async (source, writer) => {
  let title: string | null = null
  const open: Component[] = []
  for (const property of propertiesIn(decodeText(await source.bytes()))) {
    const { name, value } = property
    if (name === 'BEGIN') open.push({ kind: value.toUpperCase(), properties: [] })
    else if (name === 'END') writeComponent(open.pop(), writer)
    else if (name === 'X-WR-CALNAME') title = unescaped(value)
    else open.at(-1)?.properties.push(property)
    if (open.length > maxDepth) open.shift()
  }
  while (open.length > 0) writeComponent(open.pop(), writer)
  return { title }
}

const maxDepth = 20

/** A line that begins with a space or a tab continues the line before it. */
function* propertiesIn(text: string): Generator<Property> {
  let line = ''
  for (const [next] of text.matchAll(/[^\r\n]+/g)) {
    if (next.startsWith(' ') || next.startsWith('\t')) {
      line += next.slice(1)
    } else {
      yield* propertyOf(line)
      line = next
    }
  }
  yield* propertyOf(line)
}

/** Quoted values of parameters may hold colons and semicolons. */
const head =
  /^([A-Za-z0-9-]{1,100}(?:\.[A-Za-z0-9-]{1,100})?)((?:;[^=:;"]{1,100}=(?:"[^"]{0,1000}"|[^":;]{0,1000})){0,50}):/
const parameter = /;([^=:;"]{1,100})=(?:"([^"]{0,1000})"|([^":;]{0,1000}))/g

function* propertyOf(line: string): Generator<Property> {
  const found = head.exec(line)
  if (found === null) return
  const [all, name = '', rest = ''] = found
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, bare] of rest.matchAll(parameter)) {
    parameters.set(key.toUpperCase(), quoted ?? bare ?? '')
  }
  yield { name: name.toUpperCase(), parameters, value: line.slice(all.length) }
}

/** RFC 5545 3.3.11. */
const unescaped = (value: string): string =>
  value.replace(/\\([nN,;\\])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign))

const readKinds: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL'])

function writeComponent(component: Component | undefined, writer: TextWriter): void {
  if (component === undefined || !readKinds.has(component.kind)) return
  const { properties } = component
  const all = (name: string): Property[] => properties.filter(property => property.name === name)
  const first = (name: string): Property | undefined => all(name)[0]
  const line = (label: string, value: string): string => (value === '' ? '' : `${label}: ${value}`)
  const texts = (name: string): string =>
    all(name)
      .map(({ value }) => unescaped(value))
      .join(', ')

  writer.add('heading', texts('SUMMARY') || 'Without a summary', { level: 1 })
  const lines = [
    line('When', periodOf(first('DTSTART'), first('DTEND'), first('DURATION'))),
    line('Due', momentOf(first('DUE'))),
    line(
      'Repeats',
      all('RRULE')
        .map(({ value }) => ruleOf(value))
        .join('; '),
    ),
    line('Where', texts('LOCATION')),
    line('Organizer', all('ORGANIZER').map(personOf).join(', ')),
    line('Attendees', all('ATTENDEE').map(personOf).join(', ')),
    line('Categories', texts('CATEGORIES')),
    line('Status', texts('STATUS')),
    line('Link', texts('URL')),
  ]
  writer.add('paragraph', lines.filter(text => text !== '').join('\n'))
  for (const name of ['DESCRIPTION', 'COMMENT']) {
    for (const { value } of all(name)) writer.add('paragraph', unescaped(value))
  }
}

function periodOf(start?: Property, end?: Property, duration?: Property): string {
  const until = end === undefined ? '' : ` – ${momentOf(end)}`
  const length = duration === undefined || end !== undefined ? '' : ` (${duration.value})`
  return start === undefined ? '' : `${momentOf(start)}${until}${length}`
}

/** `20010701T213000Z` becomes `2001-07-01 21:30 UTC`; a value of another form stays as it is. */
function momentOf(property: Property | undefined): string {
  if (property === undefined) return ''
  const { value, parameters } = property
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value)
  if (found === null) return value
  const [, year, month, day, hour, minute, utc] = found
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  const zone = utc === 'Z' ? 'UTC' : (parameters.get('TZID') ?? '')
  return `${date} ${hour}:${minute} ${zone}`.trimEnd()
}

/** `FREQ=WEEKLY;BYDAY=MO,WE` as `weekly, byday MO WE`. */
const ruleOf = (rule: string): string =>
  rule
    .split(';')
    .map(part => part.split('='))
    .map(([key = '', value = '']) =>
      key.toUpperCase() === 'FREQ'
        ? value.toLowerCase()
        : `${key.toLowerCase()} ${value.replaceAll(',', ' ')}`,
    )
    .join(', ')

function personOf({ value, parameters }: Property): string {
  const address = value.replace(/^mailto:/i, '')
  const name = parameters.get('CN')
  return name === undefined || name === address ? address : `${name} <${address}>`
}
