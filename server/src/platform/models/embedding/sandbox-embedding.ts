/**
 * The embedding `sandbox`: texts that share words, or parts of words, get similar vectors. It is free, fast, and the
 * same everywhere. Test keys search with it, so that nothing of a sandbox reaches a provider.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EmbeddingModelV3 } from '@ai-sdk/provider'

export const sandboxEmbeddingName = 'sandbox'

const dimensions = 256

export function createSandboxEmbedding(): EmbeddingModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'atrium',
    modelId: sandboxEmbeddingName,
    maxEmbeddingsPerCall: Number.POSITIVE_INFINITY,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => {
      const embeddings: number[][] = []
      for (const text of values) {
        embeddings.push(vectorOf(text, dimensions))
        // A long text takes a millisecond. Other work gets its turn between two texts.
        await nextTurn()
      }
      return { embeddings, usage: { tokens: 0 }, warnings: [] }
    },
  }
}

/** The sum of a random but fixed direction for each word and for each three letters in a row. */
export function vectorOf(text: string, size: number): number[] {
  const vector = new Array<number>(size).fill(0)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    addDirection(vector, word, 1)
    const padded = ` ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) addDirection(vector, padded.slice(at, at + 3), 0.5)
  }
  // A text without words is similar to no other text, but its vector needs a direction.
  if (!vector.some(number => number !== 0)) vector[0] = 1
  return vector
}

function addDirection(vector: number[], word: string, weight: number): void {
  let state = 0x811c9dc5
  for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 0x01000193)
  for (let at = 0; at < vector.length; at++) {
    state = nextRandom(state)
    vector[at] = (vector[at] ?? 0) + (state & 1 ? weight : -weight)
  }
}

/** Marsaglia's generator xorshift32. Its state must not be 0. */
function nextRandom(state: number): number {
  let next = state === 0 ? 1 : state
  next ^= next << 13
  next ^= next >>> 17
  return next ^ (next << 5)
}
