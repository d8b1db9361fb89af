/** The models that an OpenAI-compatible server lists for conversations. */
import { type Clock, minuteMs } from '../../clock.ts'
import type { KnownProvider } from '../open-model.ts'
import { isModelPart } from '../providers.ts'
import { type ListedModel, modelsIn } from './model-list.ts'

/** Asks at most once a minute. If a server does not answer, its earlier answer is used. */
export type ServedModels = (provider: KnownProvider) => Promise<ListedModel[]>

const maxServedModels = 200
/** Of the list as it came: more are not looked at. */
const maxListedModels = 2_000
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
  const answers = new Map<string, { models: Promise<ListedModel[]>; until: number }>()
  return provider => {
    const cached = answers.get(provider.id)
    if (cached !== undefined && now() < cached.until) return cached.models
    if (answers.size >= mostServersKept) answers.clear()
    const models = ask(provider, fetch).then(async told => told ?? (await cached?.models) ?? [])
    answers.set(provider.id, { models, until: now() + minuteMs })
    return models
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
    const listed = modelsIn(await answer.json()).slice(0, maxListedModels)
    return listed.filter(({ id }) => isModelPart(id) && isForConversations(id)).slice(0, maxServedModels)
  } catch {
    // The list is only a convenience: GET /models must not fail because one server is down.
    return null
  }
}
