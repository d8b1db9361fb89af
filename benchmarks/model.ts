/** The model's server that runs are measured with: it answers at once. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export async function startModel(): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const worker = new Worker(new URL('./programs/model.ts', import.meta.url))
  const [baseUrl] = (await once(worker, 'message')) as [string]
  return {
    baseUrl,
    async stop() {
      await worker.terminate()
    },
  }
}
