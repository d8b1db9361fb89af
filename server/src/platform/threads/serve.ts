/** The inside of a pool's thread: it answers the pool's questions, and its errors arrive as they were thrown. */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ServiceError } from '../errors.ts'

/** `over` holds a 1 once the answer is of no more use. */
export type Asked = { work: unknown; over: Int32Array }
/** The first message of a thread, once its program is loaded. */
export const ready = 'ready'
export type Ready = typeof ready
export type Answered = { answer: unknown } | { failure: Failure }

/** An error in a form that crosses between threads. An error of our own class would lose its class and fields. */
type Failure = {
  error: Error
  service: Pick<ServiceError, 'code' | 'errors' | 'headers' | 'details'> | null
}

/** Long work calls this now and then. Throws if the answer is of no more use. */
export type GoOn = () => void

/** `answer` does the work and returns a value that can be copied. One work at a time. */
export function serve<Work, Answer>(answer: (work: Work, goOn: GoOn) => Promise<Answer>): void {
  giveWay()
  const reply = (answered: Answered): void => parentPort?.postMessage(answered)
  parentPort?.on('message', ({ work, over }: Asked) => {
    const goOn = (): void => {
      if (Atomics.load(over, 0) === 1) throw new Error('The answer is of no more use')
    }
    answer(work as Work, goOn)
      .then(answered => reply({ answer: answered }))
      .catch(error => reply({ failure: failureOf(error) }))
  })
  parentPort?.postMessage(ready)
}

/** If such a thread and the event loop want the same processor, the thread gets a third of it. */
const priorityStep = 5

/** If processors are short, the event loop goes first: all requests wait for it, and only one waits for a thread. */
function giveWay(): void {
  // Only Linux has a priority for each thread. Elsewhere this would change the priority of the process.
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + priorityStep))
  } catch {
    // A sandbox may forbid it; the thread then works as the others do.
  }
}

function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof ServiceError)) return { error: plainError(thrown), service: null }
  const { code, errors, headers, details } = thrown
  return { error: plainError(thrown), service: { code, errors, headers, details } }
}

export function errorOf({ error, service }: Failure): Error {
  if (service === null) return error
  const { code, ...rest } = service
  // The details come out as they went in, whatever the code.
  return new ServiceError(code as 'unavailable', error.message, { ...rest, cause: error.cause ?? error })
}

/** The part of an error that can be copied. Other things on an error of a library might prevent the copy. */
function plainError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown))
  const cause = thrown.cause === undefined ? undefined : { cause: plainError(thrown.cause) }
  const error = new Error(thrown.message, cause)
  if (thrown.stack !== undefined) error.stack = thrown.stack
  return error
}
