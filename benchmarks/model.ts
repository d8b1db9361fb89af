/** The models' servers that runs and searches are measured with: they answer at once. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

type Model = AsyncDisposable & { baseUrl: string }

export const startModel = (): Promise<Model> => startProgram('model.ts', null)

/** Vectors of so many numbers, in groups as those of real texts are. */
export const startEmbeddings = (dimensions: number): Promise<Model> =>
  startProgram('embeddings.ts', dimensions)

async function startProgram(name: string, workerData: number | null): Promise<Model> {
  const worker = new Worker(new URL(`./programs/${name}`, import.meta.url), { workerData })
  const [baseUrl] = (await once(worker, 'message')) as [string]
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
