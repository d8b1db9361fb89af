/** How long each file took when it last ran, so that the next run begins with the longest. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Work } from './lanes.ts'
import type { FileResult } from './run-work.ts'

/** Milliseconds, by lane and path. */
export type Times = Record<string, number>

const unknownMs = 3_600_000

/**
 * The longest of a whole run, in that order. A fresh checkout, such as CI's, has no times yet; one of these that began last
 * would keep a single processor busy at the end.
 */
export const longFiles: readonly string[] = [
  'server/src/strangers-bytes.test.ts',
  'server/src/features/knowledge/processing/crash.test.ts',
  'server/src/features/agents/runs/crash.test.ts',
  'server/src/http/authorization-matrix.test.ts',
  'server/src/non-interference.test.ts',
  'server/src/features/integrations/syncs/crash.test.ts',
  'scripts/guides/guides.sqlite.test.ts',
  'console/src/rooms/agents/agents.test.ts',
  'console/src/rooms/agents/playground/playground.test.ts',
  'widget/src/atrium-chat.test.ts',
  'server/src/features/knowledge/documents/trash.test.ts',
  'cli/src/cli.sqlite.test.ts',
  'console/src/rooms/integrations/integrations.test.ts',
  'server/src/features/webhooks/deliveries/crash.test.ts',
  'console/src/rooms/knowledge/knowledge-pages.test.ts',
  'server/src/operator/backup/backup.test.ts',
  'connectors/src/website/hostile.test.ts',
  'console/testing/keyboard.test.ts',
  'console/src/rooms/webhooks/webhooks.test.ts',
  'server/src/main.test.ts',
  'connectors/src/gate/parse-json.test.ts',
  'server/src/features/integrations/syncs/sync-faults.test.ts',
  'widget/src/public-chat.test.ts',
  'server/src/operator/connectors.sqlite.test.ts',
  'server/src/features/knowledge/uploads/resumable-crash.test.ts',
  'server/src/strangers-requests.sqlite.test.ts',
]

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

/** Files that are not known come first: one of them may be long. Before them come those that are known to be. */
export function longestFirst(work: readonly Work[], times: Times): Work[] {
  const guessOf = (path: string): number => {
    const rank = longFiles.indexOf(path)
    return rank < 0 ? unknownMs : Number.MAX_SAFE_INTEGER - rank
  }
  const timeOf = (one: Work) => times[keyOf(one)] ?? guessOf(one.path)
  return work.toSorted((left, right) => timeOf(right) - timeOf(left))
}
