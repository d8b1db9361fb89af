/** The stores and clients of a process with a fault point at each seam, for tests that kill it there. */
import { type Faults, noFaults } from '../platform/faults.ts'
import type { Resources } from '../platform/platform.ts'

type Seams = Pick<Resources, 'database' | 'blobs' | 'partialFiles' | 'safeFetch'>

/** The same as they are where there are no faults. */
export function withFaults(faults: Faults, seams: Seams): Seams {
  if (faults === noFaults) return seams
  const { database, blobs, partialFiles, safeFetch } = seams
  const { reach } = faults
  return {
    database: {
      ...database,
      async write(work) {
        const result = await database.write(async tx => {
          const value = await work(tx)
          reach('commit.before')
          return value
        })
        reach('commit.after')
        return result
      },
    },
    blobs: {
      ...blobs,
      async receive(stream, options) {
        const file = await blobs.receive(stream, options)
        reach('blob.received')
        return file
      },
      async adopt(file, blobId) {
        await blobs.adopt(file, blobId)
        reach('blob.adopted')
      },
      async remove(blobId) {
        await blobs.remove(blobId)
        reach('blob.removed')
      },
    },
    partialFiles: {
      ...partialFiles,
      append: (id, stream, appending) =>
        partialFiles.append(id, stream, {
          ...appending,
          async onFlushed(offset) {
            reach('bytes.flushed')
            await appending.onFlushed(offset)
          },
        }),
    },
    async safeFetch(url, request) {
      reach('request.sending')
      const response = await safeFetch(url, request)
      reach('request.answered')
      return response
    },
  }
}
