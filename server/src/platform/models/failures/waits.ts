/** How long a server asks to wait before the next call: in a header, in a field of its body, or in its words. */
import type { ServerWords } from './server-words.ts'

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `retry-after` in seconds or as a date, the variant in milliseconds, and what gateways call the same. */
export function waitMsOf(
  headers: Readonly<Record<string, string>>,
  said: ServerWords,
  body: string,
  now: number,
) {
  return inHeaders(headers, now) ?? inBody(body) ?? inWords(said.words ?? '')
}

function inHeaders(headers: Readonly<Record<string, string>>, now: number): number | null {
  const milliseconds = Number(headers['retry-after-ms'] ?? headers['x-retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const value = headers['retry-after'] ?? headers['x-retry-after'] ?? ''
  const asked = value === '' ? null : timeOf(value, now)
  return asked ?? resetIn(headers, now)
}

/** When the limits that are used up begin again. */
function resetIn(headers: Readonly<Record<string, string>>, now: number): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    if (!/ratelimit.{0,60}reset|^ratelimit-reset$/.test(name)) return []
    const left = headers[name.replace('reset', 'remaining')]
    if (left !== undefined && Number(left) > 0) return []
    return timeOf(value, now) ?? []
  })
  return waits.length === 0 ? null : Math.max(...waits)
}

/** Seconds, a time of the clock in seconds or milliseconds, a date, or `6m0s`. */
function timeOf(value: string, now: number): number | null {
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number)) {
    // Larger numbers are times of the clock.
    if (number > 1e11) return Math.max(0, number - now)
    return Math.max(0, number > 1e8 ? number * 1_000 - now : number * 1_000)
  }
  const span = spanOf(value)
  if (span !== null) return span
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** `34s`, `1.5s`, `20ms`, `6m0s`; null for any other text. */
function spanOf(text: string): number | null {
  if (!/^\s*(\d{1,9}(\.\d{1,9})?\s?(ms|s|m|h|d)\s?){1,5}$/.test(text)) return null
  let total = 0
  for (const [, count, unit = 's'] of text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)\s?(ms|s|m|h|d)/g)) {
    total += Number(count) * (unitsMs[unit] ?? 1_000)
  }
  return total
}

const bodyField =
  /"(?:retry_?(?:after|delay|in)(?:_?(ms|milliseconds|s|sec|seconds))?|retryAfter(Ms|Seconds)?|reset_?after)"\s?:\s?"?([\d.]{1,12}(?:ms|s|m|h)?)"?/i

function inBody(body: string): number | null {
  const [, unit = '', camel = '', value = ''] = bodyField.exec(body.slice(0, 20_000)) ?? []
  if (value === '') return null
  const isMs = /^m/i.test(unit) || /^ms/i.test(camel)
  return spanOf(value) ?? (Number.isFinite(Number(value)) ? Number(value) * (isMs ? 1 : 1_000) : null)
}

const spoken =
  /\b(?:in|after|for|within|wait(?:ing)?)\s(?:about |another |at least )?((?:\d{1,9}(?:\.\d{1,9})?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)[\s,]{0,2}(?:and )?){1,4})/i

function inWords(words: string): number | null {
  if (!/again|retry|wait/i.test(words)) return null
  const span = spoken.exec(words)?.[1]
  if (span === undefined) return null
  let total = 0
  for (const [, count, unit = ''] of span.matchAll(/(\d{1,9}(?:\.\d{1,9})?)\s?(milli|ms|[a-z])/gi)) {
    const name = unit.toLowerCase()
    total += Number(count) * (unitsMs[name === 'milli' ? 'ms' : name] ?? 1_000)
  }
  return total
}
