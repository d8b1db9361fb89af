/** Vectors of texts, made by the model of the server's search, for OpenAI's clients. */

import type { Fields } from '@atrium/connectors/fields'
import type { Caller } from '../../platform/caller.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import {
  type Embedded,
  type Embeddings,
  maxEmbeddedLength,
  maxTextsAtOnce,
} from '../../platform/models/embedding/embeddings.ts'
import { loadTokenTexts } from '../../platform/models/embedding/token-texts.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import { createTurns } from '../../platform/turns.ts'
import type { ModelUse } from '../agents/budgets/model-use-service.ts'
import type { WorkspaceModels } from '../models/models-service.ts'
import { createReader, type Reader } from './requests/reading.ts'

/** Writing a reply with more vectors would hold up everyone else. Vectors in base64 are written sooner. */
const mostInputs = { float: 512, base64: 1_024 }
/** For lists of 300,000 tokens, which is what clients send at once at most. */
export const embeddingLimits = { maxBytes: 4 * 1024 * 1024, maxValues: 310_000 }
/** OpenAI's own models read no more at once. */
const mostTokens = 8_192

export type EmbeddingService = ReturnType<typeof createEmbeddingService>

export function createEmbeddingService({
  embeddings,
  models,
  modelUse,
}: {
  embeddings: Embeddings
  models: Pick<WorkspaceModels, 'embeddingPrice'>
  modelUse: ModelUse
}) {
  /** A program can use the same model name with a test key, whose vectors come from the sandbox. */
  function modelNamed({ scope }: Caller, name: string): string {
    const used = embeddings.modelOf(scope.environment)
    const known = [used, embeddings.modelOf('live')].filter(one => one !== null)
    if (used !== null && known.some(one => name === one || name === withoutProvider(one))) return used
    const remedy = used === null ? 'this server has none' : `this server has ${known.at(-1)}`
    const message = `There is no embedding model ${name.slice(0, 200)}; ${remedy}`
    throw new ServiceError('not_found', message, { errors: [{ field: 'model', message }] })
  }

  type Question = { model: string; texts: readonly string[]; count: (tokens: number) => void }

  async function vectorsOf(
    { scope }: Caller,
    { model, texts, count }: Question,
    signal: AbortSignal,
  ): Promise<Embedded> {
    const failed = new AbortController()
    const ended = AbortSignal.any([signal, failed.signal])
    const slices = Array.from({ length: Math.ceil(texts.length / maxTextsAtOnce) }, (_, at) =>
      texts.slice(at * maxTextsAtOnce, (at + 1) * maxTextsAtOnce),
    )
    const left = new Set(slices)
    try {
      const made = await Promise.all(
        slices.map(async slice => {
          const embedded = await embeddings.embed(scope.workspaceId, model, slice, ended)
          left.delete(slice)
          count(embedded.tokens || estimated(slice))
          return embedded
        }),
      )
      return {
        vectors: made.flatMap(({ vectors }) => vectors),
        tokens: made.reduce((sum, { tokens }) => sum + tokens, 0),
      }
    } catch (error) {
      // The other requests are no longer needed.
      failed.abort(error)
      // Otherwise a client that leaves while the provider works would get its vectors made for nothing.
      if (signal.aborted) for (const slice of left) count(estimated(slice))
      if (!(error instanceof ModelError)) throw error
      throw new ServiceError('embedding_unavailable', error.message, {
        cause: error,
        headers: { 'retry-after': '10' },
      })
    }
  }

  return {
    /**
     * Throws `validation_failed`, `not_found` for the model, `budget_exceeded`, `price_unknown` and
     * `embedding_unavailable`.
     */
    async embed(caller: Caller, body: Fields, signal: AbortSignal) {
      const { model: name, inputs, isBase64, dimensions } = await readRequest(body)
      const model = modelNamed(caller, name)
      if (dimensions !== undefined && !canShorten(model)) {
        throw invalidField('dimensions', `must be left out: the vectors of ${model} have one length`)
      }
      const price = models.embeddingPrice(caller.scope.environment)
      const { vectors, tokens } = await modelUse.within(caller, { model, price }, count =>
        vectorsOf(caller, { model, texts: inputs, count }, signal),
      )
      const length = vectors[0]?.length ?? 0
      if (dimensions !== undefined && dimensions > length) {
        throw invalidField('dimensions', `must be at most ${length}, which ${model} has`)
      }
      return {
        object: 'list',
        model,
        data: vectors.map((vector, index) => {
          const shown = dimensions === undefined ? vector : shortened(vector, dimensions)
          return { object: 'embedding', index, embedding: isBase64 ? base64Of(shown) : Array.from(shown) }
        }),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      }
    },
  }
}

async function readRequest(body: Fields) {
  const reader = createReader()
  const model = reader.text(body.model, 'model') ?? ''
  if (model === '') reader.fault('model', 'is required: the name of the embedding model of this server')
  const format = reader.text(body.encoding_format, 'encoding_format') ?? 'float'
  const inputs = await inputsOf(body.input, mostInputs[format === 'base64' ? format : 'float'], reader)
  if (format !== 'float' && format !== 'base64') {
    reader.fault('encoding_format', 'must be float or base64')
  }
  const dimensions = reader.number(body.dimensions, 'dimensions')
  if (dimensions !== undefined && !(Number.isInteger(dimensions) && dimensions > 0)) {
    reader.fault('dimensions', 'must be a whole number above 0')
  }
  reader.finish()
  return { model, inputs, isBase64: format === 'base64', dimensions }
}

/** Each input is a text, or the numbers of its tokens; a list of numbers is one text. */
async function inputsOf(input: unknown, most: number, reader: Reader): Promise<string[]> {
  const isOne = typeof input === 'string' || (Array.isArray(input) && typeof input[0] === 'number')
  const inputs = isOne ? [input] : (reader.list(input, 'input') ?? [])
  if (inputs.length === 0) reader.fault('input', 'is required: a text, or a list of texts')
  if (inputs.length > most) {
    reader.fault('input', `must have at most ${most} texts: send the others in another request`)
    return []
  }
  const tokens = inputs.some(one => Array.isArray(one)) ? await loadTokenTexts() : null
  const othersTurn = createTurns()
  const texts: string[] = []
  for (const [at, one] of inputs.entries()) {
    const param = isOne ? 'input' : `input[${at}]`
    if (Array.isArray(one) && one.length > mostTokens) {
      reader.fault(param, `must have at most ${mostTokens} tokens: divide it`)
      continue
    }
    const text = Array.isArray(one) ? tokens?.textOf(one) : one
    if (typeof text !== 'string') {
      reader.fault(param, 'must be a text, or numbers of tokens of the encoding cl100k_base')
      continue
    }
    if (text === '') reader.fault(param, 'must not be empty')
    if (text.length > maxEmbeddedLength) {
      reader.fault(param, `must have at most ${maxEmbeddedLength} characters: divide it`)
    }
    texts.push(text)
    if (tokens !== null) await othersTurn()
  }
  return texts
}

/** For a provider that has not counted the tokens. */
const estimated = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + Math.ceil(length / 4), 0)

const withoutProvider = (model: string): string => model.slice(model.indexOf('/') + 1)

/** Models whose vectors may be cut: the first numbers form a vector on their own. */
const canShorten = (model: string): boolean => /\/text-embedding-3-/.test(model)

/** As OpenAI's own parameter does it: the first numbers, scaled to length 1 again. */
function shortened(vector: Float32Array, dimensions: number): Float32Array {
  const first = vector.subarray(0, dimensions)
  const length = Math.hypot(...first)
  return length === 0 ? first : first.map(number => number / length)
}

/** 32-bit numbers, lowest byte first, as on every machine that Node runs on. */
const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
