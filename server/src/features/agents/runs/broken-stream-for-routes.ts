/** The stream of a sandbox run whose prompt says `sim:disconnect_after=N`: it breaks off, as networks do. */
import { type FollowEvents, HangUp } from '../../../http/event-stream.ts'
import type { Reply } from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import { disconnectAfter } from '../../../platform/models/sandbox/script.ts'

/** Breaks only the first stream of a run, so that a client that reconnects receives the rest. */
export function brokenAsSimulated(
  reply: Reply<never>,
  { scope }: Pick<Caller, 'scope'>,
  prompt: string,
): Reply<never> {
  const events = scope.environment === 'test' ? disconnectAfter(prompt) : null
  if (events === null || reply.kind !== 'events') return reply
  return { ...reply, follow: brokenAfter(events, reply.follow) }
}

const brokenAfter = (count: number, follow: FollowEvents): FollowEvents =>
  async function* (signal) {
    let told = 0
    for await (const event of follow(signal)) {
      yield event
      told += 1
      if (told === count) throw new HangUp()
    }
  }
