/** What the model server answers to requests for embeddings and for reranking: vectors and scores by the words of the texts. */
import type { ServerResponse } from 'node:http'
import { vectorOf } from '../../platform/models/embedding/sandbox-embedding.ts'

/** What the server does with one such request. */
export type VectorBehaviour =
  | { kind: 'answer' }
  | { kind: 'after'; event: Promise<unknown> }
  /** Takes the request and says nothing until the client hangs up. */
  | { kind: 'never' }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** JSON of an unexpected form. */
  | { kind: 'nonsense' }

export type EmbeddingRequest = { path: 'embeddings'; model: string; input: string[] }
export type RerankRequest = {
  path: 'rerank'
  model?: string
  query: string
  documents: string[]
  top_n: number
}
export type VectorRequest = EmbeddingRequest | RerankRequest

/** Decides by the request. */
export type VectorScript = (request: VectorRequest) => VectorBehaviour

/** `some-model-96` answers vectors of 96 numbers. */
const dimensionsOf = (model: string): number => Number(/-(\d+)$/.exec(model)?.[1] ?? 128)

export async function answerVectors(
  request: VectorRequest,
  behaviour: VectorBehaviour,
  response: ServerResponse,
): Promise<void> {
  if (behaviour.kind === 'never') return
  if (behaviour.kind === 'after') await behaviour.event
  if (behaviour.kind === 'status') {
    const { status, headers = {} } = behaviour
    const error = { error: { message: `Scripted ${status}` } }
    return send(response, status, error, headers)
  }
  if (behaviour.kind === 'nonsense') return send(response, 200, { data: 'nonsense', results: 'nonsense' })
  return send(response, 200, request.path === 'embeddings' ? embed(request) : rerank(request))
}

function embed({ model, input }: EmbeddingRequest): object {
  const tokens = input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)
  return {
    object: 'list',
    model,
    data: input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text, dimensionsOf(model)),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** The shorter a document, the better: an order that no search would give. */
function rerank({ documents, top_n: most }: RerankRequest): object {
  const results = documents.map((text, index) => ({ index, relevance_score: 1 / (1 + text.length) }))
  return { results: results.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, most) }
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
