/** What a lane of real parts is: parts of other people, each installed as its registry has it and tried against Atrium. */

export type Work = {
  /** The project. */
  root: string
  /** Kept between runs and ignored by git; only this lane puts files there. */
  folder: string
  isLong: boolean
  /** Ends with the part, and when the part has used up its time. */
  signal: AbortSignal
  log(line: string): void
}

/** How many cases passed and failed. A part without any case, and without a reason for that, has failed. */
export type Outcome = {
  passed: number
  failed: number
  /** Why nothing could be tried. */
  skipped?: string
}

export type Part = {
  name: string
  /** Without it the lane shows nothing: a lane whose main part is skipped counts as skipped. */
  isMain?: boolean
  /** Only in the long form. */
  isLong?: boolean
  /** 10 unless given. */
  limitMinutes?: number
  run(work: Work): Promise<Outcome>
}

export type Lane = {
  name: string
  budgetMinutes: { short: number; long: number }
  /** How many parts run at once; one unless given. */
  atOnce?: number
  parts: Part[]
  /** Before the first part; returns what takes it down again. */
  prepare?(work: Work): Promise<() => Promise<void>>
}

/** Thrown where a part cannot be had, for instance because its registry refuses it; the message says why. */
export class Skipped extends Error {
  override name = 'Skipped'
}
