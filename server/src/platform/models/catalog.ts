/**
 * The models that Atrium knows by name, with the providers' list prices in US dollars per million tokens.
 * A model that is not listed here works too; its cost is then unknown (null), never guessed.
 * Source: the providers' public price pages (openai.com/api/pricing, claude.com/pricing, ai.google.dev/pricing),
 * standard tier, as of 2026-06.
 */

/** US dollars per million tokens. */
export type Price = { input: number; cachedInput: number; output: number }

/** Facts about a model; null means unknown. */
export type ModelFacts = {
  /** Tokens that the model can read at once; null also means no limit. */
  contextTokens: number | null
  /** Whether a prompt may hold images. */
  seesImages: boolean | null
  price: Price | null
}

export type KnownModel = { name: string } & ModelFacts

const known = (
  name: string,
  contextTokens: number,
  input: number,
  cachedInput: number,
  output: number,
): KnownModel => ({ name, contextTokens, seesImages: true, price: { input, cachedInput, output } })

const knownEmbedding = (name: string, contextTokens: number, input: number): KnownModel => ({
  name,
  contextTokens,
  seesImages: false,
  price: { input, cachedInput: input, output: 0 },
})

export const knownModels: readonly KnownModel[] = [
  known('openai/gpt-5.5', 1_000_000, 5, 0.5, 30),
  known('openai/gpt-5.4', 1_000_000, 2.5, 0.25, 15),
  known('openai/gpt-5.4-mini', 400_000, 0.75, 0.075, 4.5),
  known('openai/gpt-5.4-nano', 400_000, 0.2, 0.02, 1.25),
  known('openai/gpt-5.1', 400_000, 1.25, 0.125, 10),
  known('openai/gpt-4.1', 1_000_000, 2, 0.5, 8),
  known('anthropic/claude-opus-4-6', 1_000_000, 5, 0.5, 25),
  known('anthropic/claude-sonnet-4-6', 1_000_000, 3, 0.3, 15),
  known('anthropic/claude-haiku-4-5', 200_000, 1, 0.1, 5),
  known('google/gemini-2.5-pro', 1_000_000, 1.25, 0.125, 10),
  known('google/gemini-2.5-flash', 1_000_000, 0.3, 0.03, 2.5),
  known('google/gemini-2.5-flash-lite', 1_000_000, 0.1, 0.01, 0.4),
  knownEmbedding('openai/text-embedding-3-small', 8_192, 0.02),
  knownEmbedding('openai/text-embedding-3-large', 8_192, 0.13),
  knownEmbedding('openai/text-embedding-ada-002', 8_192, 0.1),
  knownEmbedding('google/gemini-embedding-001', 2_048, 0.15),
]

export const noFacts: ModelFacts = { contextTokens: null, seesImages: null, price: null }

/** The facts of the built-in models. They read any number of tokens, at no cost. */
export const builtInFacts: ModelFacts = {
  contextTokens: null,
  seesImages: false,
  price: { input: 0, cachedInput: 0, output: 0 },
}

/** The models that agents run on if a provider is configured and the operator named no default. */
export const defaultModels = {
  openai: 'openai/gpt-5.4-mini',
  anthropic: 'anthropic/claude-sonnet-4-6',
  google: 'google/gemini-2.5-flash',
} as const

/** Only Anthropic bills what is written into its cache (for five minutes): a quarter more than other input. */
const cacheWriteFactor = 1.25

/** Null if the price is not known. `inputTokens` includes tokens that were read from a cache or written into one. */
export function costUsd(
  price: Price | null,
  usage: { inputTokens: number; cachedInputTokens: number; cacheWriteTokens?: number; outputTokens: number },
): number | null {
  if (price === null) return null
  const { inputTokens, cachedInputTokens, cacheWriteTokens = 0, outputTokens } = usage
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  const millionths =
    (fresh + cacheWriteTokens * cacheWriteFactor) * price.input +
    cachedInputTokens * price.cachedInput +
    outputTokens * price.output
  return millionths / 1_000_000
}
