/** The cases of one part: each is a promise that holds or not, with what was seen where it does not. */
import type { Outcome, Work } from '../part.ts'

export type Cases = {
  check(promise: string, holds: boolean, seen?: string): void
  outcome(): Outcome
}

export function openCases(work: Work): Cases {
  const counts = { passed: 0, failed: 0 }
  return {
    check(promise, holds, seen = '') {
      counts[holds ? 'passed' : 'failed']++
      work.log(`${holds ? '✔' : '✖'} ${promise}`)
      if (!holds && seen !== '') work.log(seen.trim().slice(-4_000))
    },
    outcome: () => ({ ...counts }),
  }
}
