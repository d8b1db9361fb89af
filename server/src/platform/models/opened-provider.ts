/** The part of a provider that is used, whether its package or our own reader speaks to it. */
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
