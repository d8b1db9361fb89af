/** Which models there are: for agents, for search by meaning, for putting results in order. */
import { secret, setting } from './setting.ts'
import { httpUrl, optional, seconds, text, wholeNumber } from './values.ts'

export const modelSettings = {
  openaiApiKey: secret('OPENAI_API_KEY', optional(text), null, "Key for OpenAI's models."),
  openaiBaseUrl: setting(
    'OPENAI_BASE_URL',
    optional(httpUrl),
    null,
    'An OpenAI-compatible server (Ollama, vLLM …), such as http://127.0.0.1:11434/v1.',
  ),
  anthropicApiKey: secret('ANTHROPIC_API_KEY', optional(text), null, "Key for Anthropic's models."),
  anthropicBaseUrl: setting(
    'ANTHROPIC_BASE_URL',
    optional(httpUrl),
    null,
    "A server that speaks Anthropic's messages, such as http://127.0.0.1:4000/v1.",
  ),
  googleApiKey: secret('GOOGLE_API_KEY', optional(text), null, "Key for Google's models."),
  defaultModel: setting(
    'ATRIUM_DEFAULT_MODEL',
    optional(text),
    null,
    'Model of agents that name none; without a provider the built-in extractive one.',
  ),
  modelPricesFile: setting(
    'ATRIUM_MODEL_PRICES',
    optional(text),
    null,
    'JSON file with the windows and prices of models, which goes before the built-in list.',
  ),
  modelSilenceMs: setting(
    'ATRIUM_MODEL_SILENCE_SECONDS',
    seconds(1, 3_600),
    60_000,
    "Longest silence of a model's server while an answer is waited for, in seconds; then the call fails with model_timeout.",
  ),
  embeddingModel: setting(
    'ATRIUM_EMBEDDING_MODEL',
    optional(text),
    null,
    'Model that search by meaning needs: openai/…, google/… or local/…; text search only where unset.',
  ),
  vectorScanLimit: setting(
    'ATRIUM_VECTOR_SCAN_LIMIT',
    wholeNumber(0, 10_000_000),
    500_000,
    'Chunks of a workspace up to which it is searched by vectors, in memory of this process.',
  ),
  rerankUrl: setting(
    'ATRIUM_RERANK_URL',
    optional(httpUrl),
    null,
    'Reranker in the shape of Cohere and Jina, such as https://api.jina.ai/v1/rerank.',
  ),
  rerankModel: setting('ATRIUM_RERANK_MODEL', optional(text), null, 'Its model, where it has several.'),
  rerankApiKey: secret('ATRIUM_RERANK_API_KEY', optional(text), null, 'Its key.'),
} as const
