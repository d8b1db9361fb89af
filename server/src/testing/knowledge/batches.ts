/** Batches of files, sent as a test needs them. */
import assert from 'node:assert/strict'
import type { TestApp, TestKey, TestReply } from '../test-app.ts'

export type SentFile = { name: string; content: string | Buffer }
type BatchOptions = {
  fields?: Record<string, string>
  key?: TestKey
  query?: string
  headers?: Record<string, string>
}

/** What is sent, and how. */
export type BatchArguments = [files: SentFile[], options?: BatchOptions]

export function sendBatch(
  app: TestApp,
  collectionId: string,
  files: SentFile[],
  options: BatchOptions = {},
): Promise<TestReply> {
  const form = new FormData()
  form.append('collectionId', collectionId)
  for (const [name, value] of Object.entries(options.fields ?? {})) form.append(name, value)
  for (const { name, content } of files) {
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  }
  return app.request('POST', `/knowledge/documents/batch${options.query ?? ''}`, {
    form,
    key: options.key,
    headers: options.headers,
  })
}

/** By name: the outcome, or the code of the error. */
export const outcomes = (reply: TestReply): Record<string, string> => {
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return Object.fromEntries(
    reply.body.data.files.map((file: { name: string; outcome: string; error: { code: string } | null }) => [
      file.name,
      file.error?.code ?? file.outcome,
    ]),
  )
}
