/** What a change of the knowledge makes stale, and deletions that can be taken back. */
import type { Collection, Document } from '@atrium/sdk'
import { useApiMutation } from '../../api/queries.ts'
import { count, documentTitle } from '../../ui/format.ts'
import { useToasts } from '../../ui/toast.tsx'

/** Keys of everything that shows documents or counts them. */
export const documentChanges = [['documents'], ['collections'], ['trash'], ['overview']] as const

export function useDeleteCollection() {
  const toasts = useToasts()
  const { mutateAsync: restore } = useApiMutation(
    (atrium, id: string) => atrium.knowledge.trash.restoreCollection(id),
    { changes: documentChanges },
  )
  const { mutateAsync: remove } = useApiMutation(
    (atrium, id: string) => atrium.knowledge.collections.delete(id),
    { changes: documentChanges },
  )
  return async ({ id, name, documentCount }: Collection): Promise<void> => {
    await remove(id)
    toasts.show({
      title: `“${name}” is in the trash`,
      description: documentCount === 0 ? 'It was empty.' : `With ${count(documentCount, 'document')}.`,
      undo: () => restore(id),
    })
  }
}

export function useDeleteDocuments() {
  const toasts = useToasts()
  const { mutateAsync: restore } = useApiMutation(
    (atrium, ids: readonly string[]) => inLanes(ids, id => atrium.knowledge.trash.restore(id)),
    { changes: documentChanges },
  )
  const { mutateAsync: remove } = useApiMutation(
    (atrium, ids: readonly string[]) => inLanes(ids, id => atrium.knowledge.documents.delete(id)),
    { changes: documentChanges },
  )
  return async (documents: readonly Document[]): Promise<void> => {
    const [first] = documents
    if (first === undefined) return
    const { done, failure } = await remove(documents.map(({ id }) => id))
    if (done.length > 0) {
      const what = documents.length === 1 ? `“${documentTitle(first)}”` : count(done.length, 'document')
      toasts.show({
        title: `${what} ${done.length === 1 ? 'is' : 'are'} in the trash`,
        undo: async () => {
          const back = await restore(done)
          if (back.failure !== null) throw back.failure
        },
      })
    }
    if (failure !== null) toasts.fail(failure)
  }
}

const lanes = 4

/** Many calls, a few of them at a time; one that fails does not stop the others. */
async function inLanes(
  ids: readonly string[],
  call: (id: string) => Promise<unknown>,
): Promise<{ done: string[]; failure: Error | null }> {
  const left = [...ids]
  const done: string[] = []
  let failure: Error | null = null
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await call(id)
        done.push(id)
      } catch (error) {
        // One of them is told; the records that are still there show the rest.
        failure ??= error instanceof Error ? error : new Error(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return { done, failure }
}
