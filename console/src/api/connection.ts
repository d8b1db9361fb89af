/** Whether the server can be reached: told by calls that fail, found out by asking for its health until it answers again. */
import { ApiError, ConnectionError, TimeoutError } from '@atrium/sdk'
import { useSyncExternalStore } from 'react'

const shortestPauseMs = 1_000
const longestPauseMs = 10_000
const patienceMs = 5_000

let isAway = false
let probing: Promise<void> | null = null
/** Ends the pause between two looks. */
let wake: () => void = () => undefined
const listeners = new Set<() => void>()

/** A call failed: where that was the line or the server, it is looked after until it is back. */
export function reportFailure(error: unknown): void {
  if (isUnreachable(error)) void probe()
}

/** Errors that say nothing of what was asked; the banner tells of them, so that no page need. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && [502, 503, 504].includes(error.statusCode))

/** Looks again at once, for a person who does not want to wait. */
export const lookAgain = (): void => wake()

export const useIsAway = (): boolean => useSyncExternalStore(subscribe, () => isAway)

/** Resolves at once where the server can be reached, else when it can be again. */
export async function untilReachable(): Promise<void> {
  await probe()
}

/** Calls back each time that the server is back. */
export function onReturn(listener: () => void): () => void {
  return subscribe(() => {
    if (!isAway) listener()
  })
}

/** Resolves after the pause, or as soon as the browser has a network again or the caller aborts. */
export function untilWorthTrying(pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, pauseMs)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}

export function watchConnection(): void {
  window.addEventListener('offline', () => void probe())
  window.addEventListener('online', lookAgain)
}

function probe(): Promise<void> {
  probing ??= untilAnswered().finally(() => {
    probing = null
  })
  return probing
}

async function untilAnswered(): Promise<void> {
  for (let pauseMs = shortestPauseMs; !(await answers()); pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    tell(true)
    await pause(pauseMs)
  }
  tell(false)
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
    return response.ok
  } catch {
    // That is the answer: the server is away.
    return false
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

function tell(now: boolean): void {
  if (now === isAway) return
  isAway = now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
