/** Runs lanes one after another, and prints each part with its result, its seconds and, where it was skipped, the reason. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Lane, type Outcome, type Part, Skipped, type Work } from './part.ts'

type Options = {
  root: string
  names: readonly string[]
  /** All parts of the lane if empty. */
  partNames: readonly string[]
  isLong: boolean
  /** Ends the parts that run, and begins no more. */
  signal: AbortSignal
  print(line: string): void
}

type Totals = { passed: number; failed: number; skipped: number }

export const exitCodes = { passed: 0, failed: 1, refused: 2, skipped: 77 }

/** Aborts at the first SIGINT or SIGTERM; a second one ends this process at once. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new Error(`Ended by ${signal}`)))
  return interrupted.signal
}

export async function runLanes(lanes: readonly Lane[], options: Options): Promise<number> {
  const known = lanes.map(({ name }) => name).join(', ')
  const unknown = options.names.filter(name => !lanes.some(lane => lane.name === name))
  if (options.names.length === 0) return refuse(options, `Name at least one lane: ${known}`)
  if (unknown.length > 0)
    return refuse(options, `No lane is named ${unknown.join(', ')}. The lanes: ${known}`)
  const chosen = lanes.filter(({ name }) => options.names.includes(name))
  const parts = chosen.flatMap(lane => lane.parts.map(({ name }) => name))
  const missing = options.partNames.filter(name => !parts.includes(name))
  if (missing.length > 0)
    return refuse(options, `No part is named ${missing.join(', ')}. The parts: ${parts.join(', ')}`)

  let code = exitCodes.passed
  for (const lane of chosen) {
    if (options.signal.aborted) return exitCodes.failed
    const totals = await runLane(lane, options)
    if (totals.failed > 0) code = exitCodes.failed
    else if (totals.passed === 0 && code === exitCodes.passed) code = exitCodes.skipped
  }
  return code
}

function refuse({ print }: Options, reason: string): number {
  print(reason)
  return exitCodes.refused
}

/** The closing line counts parts: after a skipped main part, those that passed count as skipped. */
async function runLane(lane: Lane, options: Options): Promise<Totals> {
  const { print, isLong, partNames } = options
  const form = isLong ? 'long' : 'short'
  const chosen = lane.parts.filter(
    part => (isLong || !part.isLong) && (partNames.length === 0 || partNames.includes(part.name)),
  )
  print(`${lane.name}: ${chosen.length} parts, ${form} form, budget ${lane.budgetMinutes[form]} minutes`)
  const startedAtMs = performance.now()
  const reports = await runParts(lane, chosen, options)
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const { result } of reports) totals[result]++
  const main = reports.find(({ part, result }) => part.isMain && result === 'skipped')
  if (main !== undefined) {
    print(`${lane.name} is skipped: nothing is shown without ${main.part.name}`)
    totals.skipped += totals.passed
    totals.passed = 0
  }
  const minutes = (performance.now() - startedAtMs) / 60_000
  const over = minutes > lane.budgetMinutes[form] ? ': over the budget' : ''
  print(`${lane.name} used ${minutes.toFixed(1)} of ${lane.budgetMinutes[form]} minutes${over}`)
  print(`${lane.name}: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  return totals
}

type Report = { part: Part; result: keyof Totals }

async function runParts(lane: Lane, chosen: readonly Part[], options: Options): Promise<Report[]> {
  const folder = join(options.root, '.real', lane.name)
  mkdirSync(folder, { recursive: true })
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, options.signal])
  const work = { root: options.root, folder, isLong: options.isLong, signal, log: options.print }
  const takeDown = await lane.prepare?.(work)
  try {
    const waiting = [...chosen]
    const reports: Report[] = []
    const next = async (): Promise<void> => {
      for (let part = waiting.shift(); part !== undefined && !signal.aborted; part = waiting.shift())
        reports.push({ part, result: await runPart(part, work) })
    }
    await Promise.all(Array.from({ length: lane.atOnce ?? 1 }, next))
    return reports
  } finally {
    ended.abort()
    await takeDown?.()
  }
}

async function runPart(part: Part, work: Work): Promise<keyof Totals> {
  const ended = new AbortController()
  const limitMinutes = part.limitMinutes ?? 10
  const timer = setTimeout(
    () => ended.abort(new Error(`It takes more than its ${limitMinutes} minutes`)),
    limitMinutes * 60_000,
  )
  const startedAtMs = performance.now()
  const lines: string[] = []
  const outcome = await part
    .run({ ...work, signal: AbortSignal.any([ended.signal, work.signal]), log: line => lines.push(line) })
    .catch((error: unknown): Outcome => {
      if (error instanceof Skipped) return { passed: 0, failed: 0, skipped: error.message }
      lines.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return { passed: 0, failed: 1 }
    })
  clearTimeout(timer)
  ended.abort()
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1)
  const { result, words } = judge(outcome)
  // Of a part that passed the details are of no use; those of one that failed stand together, above its line.
  if (result === 'failed') for (const line of lines) work.log(`    ${line}`)
  work.log(`${marks[result]} ${part.name}: ${words} (${seconds} s)`)
  return result
}

const marks = { passed: '✔', failed: '✖', skipped: '﹣' }

function judge({ passed, failed, skipped }: Outcome): { result: keyof Totals; words: string } {
  if (failed > 0) return { result: 'failed', words: `${failed} of ${passed + failed} failed` }
  if (skipped !== undefined) return { result: 'skipped', words: `skipped: ${skipped}` }
  if (passed === 0) return { result: 'failed', words: 'no case was tried' }
  return { result: 'passed', words: `${passed} of ${passed}` }
}
