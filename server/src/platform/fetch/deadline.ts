/** One time limit over a whole exchange, and the error that tells why the exchange ended. */
import { ServiceError } from '../errors.ts'
import { faultIn } from './faulty-reply.ts'
import { NoTurn } from './origin-turns.ts'

export type Deadline = {
  signal: AbortSignal
  /** The exchange is over: nothing is aborted any more. */
  clear(): void
  /** To be called once the exchange is over, be it cleared or aborted. */
  atEnd(task: () => void): void
  /**
   * What to throw for an error of the exchange with `host`: the caller's reason, the limit, or what went wrong. `hasBegun`
   * once the head of the reply has come.
   */
  explain(error: unknown, host: string, hasBegun?: boolean): unknown
}

export function createDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const tasks: (() => void)[] = []
  const end = () => {
    for (const task of tasks.splice(0)) task()
  }
  controller.signal.addEventListener('abort', end, { once: true })
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, timeoutMs)
  // An unread body must not keep the process from ending.
  timer.unref()
  const abort = () => controller.abort()
  callerSignal?.addEventListener('abort', abort)
  if (callerSignal?.aborted) abort()

  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      callerSignal?.removeEventListener('abort', abort)
      end()
    },
    atEnd: task => {
      tasks.push(task)
      if (controller.signal.aborted) end()
    },
    explain: (error, host, hasBegun = false) => {
      if (callerSignal?.aborted) return callerSignal.reason
      if (isOver) {
        const within = `within ${timeoutMs / 1_000} s`
        const message =
          error instanceof NoTurn
            ? `No connection to ${host} became free ${within}: other requests use them all`
            : `${host} did not answer ${within}`
        return new ServiceError('integration_unreachable', message)
      }
      return serviceErrorIn(error) ?? faultIn(error, host, hasBegun) ?? unreachable(host, error)
    },
  }
}

const unreachable = (host: string, cause: unknown): ServiceError =>
  new ServiceError('integration_unreachable', `${host} could not be reached`, { cause })

/** `fetch` wraps what its connector threw. */
function serviceErrorIn(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  return error instanceof Error && error.cause !== undefined ? serviceErrorIn(error.cause) : null
}
