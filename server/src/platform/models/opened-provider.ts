/** What is used of a provider, whether its package or a reader of our own speaks to it. */
import type {
  EmbeddingModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider'

export type OpenedProvider = {
  languageModel(name: string): LanguageModel
  embeddingModel(name: string): EmbeddingModelV3
}

export type LanguageModel = {
  doStream(
    options: LanguageModelV3CallOptions,
  ): PromiseLike<{ stream: AsyncIterable<LanguageModelV3StreamPart> }>
}
