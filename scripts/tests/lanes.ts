/** Which tests there are, and in which lanes each file runs: found out from what it imports. */
import { type ImportGraph, readImports } from '../imports.ts'

/**
 * In the order of the summary. The lanes run side by side: while one waits, another one works. Tests that reach a database
 * run in two lanes; `x.sqlite.test.ts` and `x.postgres.test.ts` hold what only one of the two engines promises, and
 * dear work in which neither has a part.
 */
export const lanes = ['unit', 'connectors', 'sqlite', 'postgres', 'browser', 'kill-loop'] as const
export type Lane = (typeof lanes)[number]

/** One file in one lane. */
export type Work = { lane: Lane; path: string }

const marks = {
  browser: 'console/testing/console-app.ts',
  killLoop: 'server/src/testing/kill-loop/rounds.ts',
  database: 'server/src/testing/database.ts',
}

export function readWork(root: string, graph: ImportGraph = readImports(root)): Work[] {
  for (const mark of Object.values(marks))
    if (!graph.files.includes(mark)) throw new Error(`${mark} tells the lanes apart, and is not there`)
  return graph.files
    .filter(path => path.endsWith('.test.ts'))
    .flatMap(path => lanesOf(path, graph).map(lane => ({ lane, path })))
}

function lanesOf(path: string, graph: ImportGraph): Lane[] {
  if (path.startsWith('connectors/')) return ['connectors']
  if (graph.reaches(path, marks.browser)) return ['browser']
  if (graph.reaches(path, marks.killLoop)) return ['kill-loop']
  if (!graph.reaches(path, marks.database)) return ['unit']
  if (path.endsWith('.sqlite.test.ts')) return ['sqlite']
  return path.endsWith('.postgres.test.ts') ? ['postgres'] : ['sqlite', 'postgres']
}
