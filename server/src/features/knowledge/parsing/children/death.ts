/** Why a process that read a file has died: by the file, or by a signal from outside. */
import { constants } from 'node:os'
import { WorkKilled } from '../../../../platform/jobs/job.ts'
import { ParseFailure } from '../failure.ts'

/**
 * How the thread in a child ends its process. The server knows by the signal why: nothing else sends these two. Node
 * ignores SIGXFSZ.
 */
export const watchSignals = { time: 'SIGXCPU', memory: 'SIGUSR2' } as const

/** Signals by which a process ends itself: a fault of its code, or of the bytes that it read. */
const crashes: readonly string[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']

/** Something outside ended the process. Another process may read the file. */
export class ReaderEnded extends WorkKilled {
  override readonly name = 'ReaderEnded'
  readonly signal: string

  constructor(signal: string) {
    super(`The process that read the file was ended from outside, by ${signal}`)
    this.signal = signal
  }
}

/** The process crashed by itself. Only a second crash shows that it was the file's fault. */
export class ReaderCrashed extends ParseFailure {
  /** Whether a second reader has crashed as well. */
  isRepeated = false

  constructor(cause: Error) {
    super('parser_crashed', undefined, cause)
  }
}

/**
 * The cause of a parsing child's death. Only what the child did to itself is the file's fault. Any other signal came
 * from outside: a service manager ends every process, and the kernel may need the memory for another one.
 */
export function causeOfDeath(code: number | null, killedBy: string | null, words: string): Error {
  const signal = killedBy ?? signalOfShell(code)
  if (signal === watchSignals.time) return new ParseFailure('too_complex')
  // V8 aborts with these words.
  if (signal === watchSignals.memory || /heap out of memory|heap limit/.test(words))
    return new ParseFailure('out_of_memory')
  if (isFromOutside(signal)) return new ReaderEnded(signal)
  const cause = new Error(`The parsing process ended with ${signal ?? `code ${code}`}: ${words}`)
  return new ReaderCrashed(cause)
}

/** The signal from outside that ended an operator's program; null if the program ended in another way. */
export function signalFromOutside(code: number | null, signal: string | null): string | null {
  const found = signal ?? signalOfShell(code)
  return isFromOutside(found) ? found : null
}

/** A shell, such as a container's first process, ends with this code if a signal has ended the program that it ran. */
const signalOfShell = (code: number | null): string | null =>
  Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0] ?? null

const isFromOutside = (signal: string | null): signal is string =>
  signal !== null && !crashes.includes(signal)
