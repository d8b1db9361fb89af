/** How much a model reads at once, where its provider does not say: as its server's list or an earlier refusal has taught. */
import { type Clock, hourMs } from '../../clock.ts'
import type { ModelFacts } from '../catalog.ts'
import type { KnownProvider, OpenedModel } from '../open-model.ts'
import type { ServedModels } from './served-models.ts'

/** The facts with the learned window. A window that a refusal has shown to be smaller counts more than a stated one. */
export type WithWindow = (
  provider: KnownProvider,
  name: string,
  opened: OpenedModel,
  facts: ModelFacts,
) => Promise<ModelFacts>

/** A list that names no windows is not asked for them again within this time. */
const askedForMs = hourMs
const mostKept = 1_000

export function createWithWindow(served: ServedModels, now: Clock): WithWindow {
  const asked = new Map<string, number>()

  async function learn(provider: KnownProvider, name: string, { profile }: OpenedModel): Promise<void> {
    const key = `${provider.id}/${name}`
    if (now() - (asked.get(key) ?? Number.NEGATIVE_INFINITY) < askedForMs) return
    if (asked.size >= mostKept) asked.clear()
    asked.set(key, now())
    const tokens = (await served(provider)).find(({ id }) => id === name)?.contextTokens ?? null
    if (tokens !== null) profile.learnWindow(tokens, "The server's list of models says so")
  }

  return async (provider, name, opened, facts) => {
    const learned = await opened.profile.contextTokens()
    if (learned !== null) {
      return { ...facts, contextTokens: Math.min(learned, facts.contextTokens ?? learned) }
    }
    // The call does not wait for the list: if its prompt is too long, the server will say so.
    if (facts.contextTokens === null && provider.kind === 'openai_compatible')
      void learn(provider, name, opened)
    return facts
  }
}
