/** Turns texts into vectors with the operator's model, so that search finds the same meaning in other words. */
import type { EmbeddingModelV3, EmbeddingModelV3CallOptions } from '@ai-sdk/provider'
import type { Environment } from '../../caller.ts'
import { secondMs } from '../../clock.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { countedTokens, ModelError, type RetryDependencies, withRetries } from '../model-error.ts'
import {
  hidingKey,
  openProvider,
  operatorProvider,
  type ProviderSettings,
  parseModelName,
} from '../providers.ts'
import { createSandboxEmbedding, sandboxEmbeddingName } from './sandbox-embedding.ts'

export type EmbeddingSettings = ProviderSettings & {
  /** Such as `openai/text-embedding-3-small` or `local/Xenova/all-MiniLM-L6-v2`; null if search is by text only. */
  embeddingModel: string | null
}

/** Vectors of length 1, in the order of the texts. `tokens` is the provider's count, or 0. */
export type Embedded = { vectors: Float32Array[]; tokens: number }

export type Embeddings = {
  /** The name of the model for new vectors; null if there is none. Test keys never reach a provider. */
  modelOf(environment: Environment): string | null
  /**
   * Takes at most `maxTextsAtOnce` texts. Owners, which are workspaces, take turns. Throws `ModelError`, or the
   * signal's reason once the signal is aborted.
   */
  embed(owner: string, model: string, texts: readonly string[], signal: AbortSignal): Promise<Embedded>
}

/** A JSON answer of so many vectors of 4,096 numbers is read and parsed in about 15 ms. */
export const maxTextsAtOnce = 16

/** Longer texts are cut, in UTF-16 units. The limit is below the 8,192 tokens that common models read. */
export const maxEmbeddedLength = 8_000

const requestsAtOnce = 8
const requestTimeoutMs = 30 * secondMs
const maxDimensions = 8_192

/** Throws in one line if the setting names a model that cannot be used. */
export function createEmbeddings(
  dependencies: RetryDependencies & { settings: EmbeddingSettings; fetch: typeof globalThis.fetch },
): Embeddings {
  const { settings, fetch } = dependencies
  const { embeddingModel } = settings
  if (embeddingModel !== null) checkName(embeddingModel, settings)
  const models = new Map<string, Promise<EmbeddingModelV3>>()
  const queue = createFairQueue(requestsAtOnce)

  const modelNamed = (name: string): Promise<EmbeddingModelV3> => {
    const present = models.get(name) ?? makeModel(name, settings, fetch)
    models.set(name, present)
    // A package that could not be loaded may be installed by the next call.
    present.catch(() => models.delete(name))
    return present
  }

  return {
    modelOf: environment =>
      embeddingModel !== null && environment === 'test' ? sandboxEmbeddingName : embeddingModel,

    async embed(owner, name, texts, signal) {
      if (texts.length > maxTextsAtOnce) throw new RangeError(`${texts.length} texts at once`)
      const model = await modelNamed(name)
      const values = texts.map(text => text.slice(0, maxEmbeddedLength))
      const embed = () => withRetries(() => embedOnce(model, values, signal), signal, dependencies)
      return queue.run(owner, embed, signal)
    },
  }
}

/** Throws an error that names the setting and what is wrong with it. */
function checkName(name: string, settings: EmbeddingSettings): void {
  if (name.startsWith(localPrefix)) {
    if (isLocalPackageInstalled()) return
    throw new Error(
      `ATRIUM_EMBEDDING_MODEL: "${name}" runs in this process by ${localPackage}, which is not installed; run: npm install ${localPackage}`,
    )
  }
  const { provider } = parseModelName(name)
  if (provider !== 'openai' && provider !== 'google') {
    throw new Error(
      `ATRIUM_EMBEDDING_MODEL: "${name}" must be openai/…, google/… or ${localPrefix}… with a model of theirs`,
    )
  }
  if (operatorProvider(provider, settings) === null) {
    const remedy = provider === 'openai' ? 'OPENAI_API_KEY or OPENAI_BASE_URL' : 'GOOGLE_API_KEY'
    throw new Error(`ATRIUM_EMBEDDING_MODEL: "${name}" needs ${remedy}`)
  }
}

async function makeModel(name: string, settings: EmbeddingSettings, fetch: typeof globalThis.fetch) {
  if (name === sandboxEmbeddingName) return createSandboxEmbedding()
  if (name.startsWith(localPrefix)) return createLocalModel(name.slice(localPrefix.length))
  const { provider: providerName, model } = parseModelName(name)
  const provider = providerName === null ? null : operatorProvider(providerName, settings)
  if (provider === null) {
    throw new ModelError('model_not_configured', `The embedding model ${name} is not configured`)
  }
  return (await openProvider(provider, hidingKey(fetch, provider.apiKey))).embeddingModel(model)
}

async function embedOnce(model: EmbeddingModelV3, values: string[], signal: AbortSignal): Promise<Embedded> {
  const timeout = AbortSignal.timeout(requestTimeoutMs)
  const options: EmbeddingModelV3CallOptions = { values, abortSignal: AbortSignal.any([signal, timeout]) }
  try {
    const { embeddings, usage } = await model.doEmbed(options)
    return { vectors: checked(embeddings, values.length), tokens: countedTokens(usage?.tokens) }
  } catch (error) {
    if (!timeout.aborted) throw error
    throw new ModelError('model_timeout', 'The embedding model did not answer in time', { cause: error })
  }
}

function checked(embeddings: readonly number[][], count: number): Float32Array[] {
  const dimensions = embeddings[0]?.length ?? 0
  if (embeddings.length !== count) {
    throw invalid(`${embeddings.length} vectors for ${count} texts`)
  }
  if (dimensions === 0 || dimensions > maxDimensions) {
    throw invalid(`vectors of ${dimensions} numbers; 1 to ${maxDimensions} are possible`)
  }
  return embeddings.map(numbers => {
    if (numbers.length !== dimensions) throw invalid('vectors of different lengths')
    const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0))
    if (!Number.isFinite(length) || length === 0) throw invalid('a vector without a direction')
    return Float32Array.from(numbers, number => number / length)
  })
}

const invalid = (what: string): ModelError =>
  new ModelError('model_invalid_response', `The embedding model answered ${what}`)

// Embedding models that run in this process, with a package that the operator installs. The package brings 200 MB of
// native code that most servers never need. It keeps downloaded models in a cache.

/** The prefix of models that run in this process. */
export const localPrefix = 'local/'
const localPackage = '@huggingface/transformers'

/** The part of the package that is used. Its own types are missing if the package is not installed. */
type Transformers = { pipeline(task: 'feature-extraction', model: string): Promise<Extractor> }
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<{ tolist(): number[][] }>

function isLocalPackageInstalled(): boolean {
  try {
    import.meta.resolve(localPackage)
    return true
  } catch {
    return false
  }
}

/** Loads the model once, at its first use, and downloads it if the package has not kept it. */
async function createLocalModel(model: string): Promise<EmbeddingModelV3> {
  // The name is in a variable: TypeScript would look for a package that may be missing.
  const { pipeline } = (await import(localPackage)) as Transformers
  const extract = await pipeline('feature-extraction', model)
  return {
    specificationVersion: 'v3',
    provider: 'local',
    modelId: model,
    maxEmbeddingsPerCall: Number.POSITIVE_INFINITY,
    supportsParallelCalls: false,
    doEmbed: async ({ values }) => ({
      embeddings: (await extract(values, { pooling: 'mean', normalize: true })).tolist(),
      warnings: [],
    }),
  }
}
