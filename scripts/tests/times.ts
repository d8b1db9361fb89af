/** How long each file took when it last ran, so that the next run begins with the longest. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Work } from './lanes.ts'
import type { FileResult } from './run-work.ts'

/** Milliseconds, by lane and path. */
export type Times = Record<string, number>

const fileOf = (root: string) => resolve(root, 'node_modules/.cache/atrium-tests/times.json')
const keyOf = ({ lane, path }: Work) => `${lane} ${path}`

export function readTimes(root: string): Times {
  const file = fileOf(root)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

export function writeTimes(root: string, times: Times, results: readonly FileResult[]): void {
  const latest = Object.fromEntries(results.map(({ work, wallMs }) => [keyOf(work), Math.round(wallMs)]))
  const file = fileOf(root)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...times, ...latest }, null, 1))
}

/** Files that are not known come first: one of them may be long. */
export function longestFirst(work: readonly Work[], times: Times): Work[] {
  const timeOf = (one: Work) => times[keyOf(one)] ?? Number.MAX_SAFE_INTEGER
  return work.toSorted((left, right) => timeOf(right) - timeOf(left))
}
