/** What is known of models by experience: the fields that their servers refuse, and how much they read at once. */
import { type Clock, dayMs, minuteMs } from '../../clock.ts'
import type { ModelProfile } from './learning-fetch.ts'
import type { Change } from './switches.ts'

/** What was learned of one model. */
export type Learned = Change & { because: string; learnedAt: number }

/** The provider of a model. Its workspace is null for a provider of the operator. */
export type ProfileOf = { workspaceId: string | null; provider: string; model: string }

export type LearnedStore = {
  load(of: ProfileOf): Promise<Learned[]>
  save(of: ProfileOf, learned: Learned): Promise<void>
}

export type Profile = ModelProfile & {
  /** How many tokens the model reads at once, as its server has said; null if it has not. */
  contextTokens(): Promise<number | null>
  learnWindow(tokens: number, because: string): void
}

/** `version` changes whenever anything of the provider changes: then the profile is read again. */
export type Profiles = (of: ProfileOf, version: string) => Profile

/** The field under which a window is kept. */
export const windowField = 'contextTokens'

/** Another server learns of it by then. */
const keptMs = minuteMs
/** Servers get better: what was learned is tried again after this time. */
export const learnedForMs = 14 * dayMs
const mostKept = 1_000
const maxBecause = 300

/** Without a store, nothing outlives the process. */
export const nothingStored: LearnedStore = { load: async () => [], save: async () => undefined }

export function createProfiles(store: LearnedStore, now: Clock): Profiles {
  const kept = new Map<string, { learned: Promise<Map<string, Learned>>; until: number }>()

  return (of, version) => {
    const key = JSON.stringify([of, version])

    function known(): Promise<Map<string, Learned>> {
      const present = kept.get(key)
      if (present !== undefined && now() < present.until) return present.learned
      if (kept.size >= mostKept) kept.clear()
      const learned = store.load(of).then(
        all => new Map(all.filter(isFresh).map(one => [one.field, one])),
        // A call does without, or learns again.
        async () => (await present?.learned) ?? new Map<string, Learned>(),
      )
      kept.set(key, { learned, until: now() + keptMs })
      return learned
    }
    const isFresh = ({ learnedAt }: Learned): boolean => now() - learnedAt < learnedForMs

    const learn = (change: Change, words: string): void => {
      const learned = { ...change, because: words.slice(0, maxBecause).toWellFormed(), learnedAt: now() }
      void known().then(all => all.set(change.field, learned))
      void store.save(of, learned)
    }
    return {
      changes: async () => [...(await known()).values()].filter(({ field }) => field !== windowField),
      learn,
      async contextTokens() {
        const tokens = Number((await known()).get(windowField)?.instead)
        return Number.isInteger(tokens) && tokens > 0 ? tokens : null
      },
      learnWindow: (tokens, because) => learn({ field: windowField, instead: String(tokens) }, because),
    }
  }
}
