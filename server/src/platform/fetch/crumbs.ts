/** Breaks off replies that cost their reader a thousand times what they bring: endless heads, or a chunk for each byte. */
import type { Dispatcher } from 'undici'
import { FaultyReply } from './requests.ts'

/** Heads that only announce another one, such as 103 (Early Hints). */
const mostEarlyHeads = 100
/** So many chunks may be as small as they like: some servers send a page letter by letter. */
const mostSmallChunks = 100_000
const smallBytes = 16

/** For `compose` of a dispatcher. No other limit sees these: the bytes that arrive as a body are few. */
export const withoutCrumbs: Dispatcher.DispatcherComposeInterceptor = dispatch => (options, handler) => {
  let [heads, chunks, bytes] = [0, 0, 0]
  let fault: FaultyReply | null = null
  const breakOff = (controller: Dispatcher.DispatchController): void => {
    const found = new FaultyReply(`${options.origin} sends its reply in too many pieces`)
    fault = found
    // In a later turn of the event loop, because the connection's parser is the caller here.
    setImmediate(() => controller.abort(found))
  }
  return dispatch(options, {
    onRequestStart: (...of) => handler.onRequestStart?.(...of),
    onRequestUpgrade: (...of) => handler.onRequestUpgrade?.(...of),
    onRequestSent: () => handler.onRequestSent?.(),
    onBodySent: chunk => handler.onBodySent?.(chunk),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseStart(controller, status, ...of) {
      if (fault !== null) return
      if (status < 200 && ++heads > mostEarlyHeads) breakOff(controller)
      else handler.onResponseStart?.(controller, status, ...of)
    },
    onResponseData(controller, chunk) {
      if (fault !== null) return
      chunks += 1
      bytes += chunk.length
      if (chunks > mostSmallChunks && bytes < chunks * smallBytes) breakOff(controller)
      else handler.onResponseData?.(controller, chunk)
    },
    onResponseEnd(controller, ...of) {
      if (fault === null) handler.onResponseEnd?.(controller, ...of)
      else handler.onResponseError?.(controller, fault)
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, fault ?? error),
  })
}
