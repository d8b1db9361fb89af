/** Vectors of queries, kept for a while: who looks at the next page asks the same again. */
import { secondMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import { ModelError } from '../../../platform/models/model-error.ts'

/** Owners, which are workspaces, take turns. Throws `embedding_unavailable` where the model does not answer. */
export type QueryVector = (owner: string, model: string, text: string) => Promise<Float32Array>

const mostKept = 500
/** Somebody waits for the search. */
const timeoutMs = 10 * secondMs

export function createQueryVectors({ embeddings }: { embeddings: Embeddings }): QueryVector {
  const kept = new Map<string, Promise<Float32Array>>()

  const embed = async (owner: string, model: string, text: string): Promise<Float32Array> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const { vectors } = await embeddings.embed(owner, model, [text], timeout)
      const [vector] = vectors
      if (vector === undefined) throw new Error('The query was not embedded')
      return vector
    } catch (error) {
      if (!(error instanceof ModelError) && !timeout.aborted) throw error
      const reason =
        error instanceof ModelError ? error.message : 'The embedding model did not answer in time'
      throw new ServiceError('embedding_unavailable', reason, {
        cause: error,
        headers: { 'Retry-After': '10' },
      })
    }
  }

  return (owner, model, text) => {
    const key = `${model}\n${text}`
    const vector = kept.get(key) ?? embed(owner, model, text)
    // Deleted and set again, it becomes the youngest: a Map keeps the order of insertion.
    kept.delete(key)
    kept.set(key, vector)
    vector.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return vector
  }
}
