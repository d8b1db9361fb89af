/**
 * Embedding models that run in this process, by a package that the operator installs: it brings 200 MB of native code
 * that most servers never need. It keeps the models that it downloads in a cache of its own.
 */
import type { EmbeddingModelV3 } from '@ai-sdk/provider'

export const localPrefix = 'local/'
export const localPackage = '@huggingface/transformers'

/** What of the package is used; it is not there to take its types from. */
type Transformers = { pipeline(task: 'feature-extraction', model: string): Promise<Extractor> }
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<{ tolist(): number[][] }>

export function isLocalPackageInstalled(): boolean {
  try {
    import.meta.resolve(localPackage)
    return true
  } catch {
    return false
  }
}

/** The model is loaded once, at its first use, and downloaded where the package has not kept it. */
export async function createLocalModel(model: string): Promise<EmbeddingModelV3> {
  // The name in a variable: TypeScript would look for a package that need not be there.
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
