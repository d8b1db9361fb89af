/** Asks the blocked main thread, by the debugger of V8, which work it does and where in the code it is. */
import { type Debugger, type Runtime, Session } from 'node:inspector'
import { contextName, type Work } from './works.ts'

export type Sighting = {
  /** Null if the code belongs to no job and no request. */
  work: Work | null
  /** The innermost calls, such as `parse (reader.ts:12)`. */
  calls: string[]
}

const patienceMs = 1_000
const mostCalls = 8

const question = `JSON.stringify(globalThis[Symbol.for(${JSON.stringify(contextName)})]?.getStore() ?? null)`

/**
 * Null if the main thread does not answer: it is within native code. Between two lines of JavaScript, also within a
 * regular expression, it answers in some 10 ms.
 */
export async function sightCulprit(): Promise<Sighting | null> {
  const session = new Session()
  session.connectToMainThread()
  const seen = Promise.withResolvers<Sighting | null>()
  // An unanswered question must not keep this thread from its own work, and the timer keeps the thread awake.
  const timer = setTimeout(() => seen.resolve(null), patienceMs)
  try {
    const urls = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params }) => {
      const [frame] = params.callFrames
      const calls = params.callFrames.slice(0, mostCalls).map(frame => inWords(frame, urls))
      if (frame === undefined) return seen.resolve(null)
      const asked = { callFrameId: frame.callFrameId, expression: question, silent: true }
      const take = (_error: Error | null, reply?: Debugger.EvaluateOnCallFrameReturnType): void => {
        const text: Runtime.RemoteObject['value'] = reply?.result.value
        seen.resolve(typeof text === 'string' ? { work: JSON.parse(text) as Work | null, calls } : null)
      }
      session.post('Debugger.evaluateOnCallFrame', asked, take)
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
    return await seen.promise
  } finally {
    clearTimeout(timer)
    session.post('Debugger.resume')
    session.post('Debugger.disable')
    session.disconnect()
  }
}

const inWords = ({ functionName, location }: Debugger.CallFrame, urls: Map<string, string>): string =>
  `${functionName || 'anonymous'} (${urls.get(location.scriptId)?.split('/').at(-1)}:${location.lineNumber + 1})`
