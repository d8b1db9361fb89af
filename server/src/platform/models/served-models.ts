/** Which models an OpenAI-compatible server offers for conversations, by its own word. */
import { type Clock, minuteMs } from '../clock.ts'
import type { KnownProvider } from './open-model.ts'

/** Asks at most once a minute; a server that does not answer offers what it offered before. */
export type ServedModels = (provider: KnownProvider) => Promise<string[]>

const maxServedModels = 200
const timeoutMs = 3_000
/** The list does not say what a model is for; models that make vectors, speech or pictures have such names. */
const otherKinds =
  /embed|rerank|whisper|transcri|moderation|(^|[^a-z])(bge|e5|gte|minilm|clip|tts|dall-e|stable-diffusion|flux)([^a-z]|$)/i

export const isForConversations = (name: string): boolean => !otherKinds.test(name)

const mostServersKept = 1_000

export function createServedModels({
  fetch,
  now,
}: {
  fetch: typeof globalThis.fetch
  now: Clock
}): ServedModels {
  const answers = new Map<string, { names: Promise<string[]>; until: number }>()
  return provider => {
    const cached = answers.get(provider.id)
    if (cached !== undefined && now() < cached.until) return cached.names
    if (answers.size >= mostServersKept) answers.clear()
    const names = ask(provider, fetch).then(async told => told ?? (await cached?.names) ?? [])
    answers.set(provider.id, { names, until: now() + minuteMs })
    return names
  }
}

async function ask({ baseUrl, apiKey }: KnownProvider, fetch: typeof globalThis.fetch) {
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      return null
    }
    const body = (await answer.json()) as { data?: { id?: unknown }[] }
    const ids = (body.data ?? []).map(({ id }) => id).filter(id => typeof id === 'string')
    return ids.filter(isForConversations).slice(0, maxServedModels)
  } catch {
    // The list is a convenience: a server that is down must not take GET /models with it.
    return null
  }
}
