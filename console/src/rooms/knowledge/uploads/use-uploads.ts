/** The uploads of a collection, as its page shows them. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useReadAgain } from '../../../api/queries.ts'
import { useScope } from '../../../api/scope.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { count } from '../../../ui/format.ts'
import { documentChanges } from '../changes.ts'
import { isUnderWay, type NamedFile, type UploadItem } from './upload.ts'
import { createUploadQueue } from './upload-queue.ts'

/** One for the tab: an upload goes on while another room is open. */
const queue = createUploadQueue()

window.addEventListener('beforeunload', event => {
  // The browser asks before it leaves. A large upload can resume later, but the person has to choose the file again.
  if (queue.snapshot().some(({ state }) => isUnderWay(state))) event.preventDefault()
})

export type Uploads = ReturnType<typeof useUploads>

export function useUploads(collectionId: string) {
  const { atrium, workspace, environment } = useScope()
  const key = `${workspace.id}/${environment}/${collectionId}`
  const all = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const items = useMemo(() => all.filter(({ target }) => target.key === key), [all, key])
  useFreshLists(items)
  return {
    items,
    add: (files: readonly NamedFile[], { replace }: { replace: boolean }) =>
      queue.add({ atrium, key, collectionId, replace }, files),
    retry: queue.retry,
    cancel: queue.cancel,
    clear: () => queue.clear(key),
  }
}

/** Refetches the lists after each stored file, and announces when all are stored. */
function useFreshLists(items: readonly UploadItem[]): void {
  const readAgain = useReadAgain()
  const announce = useAnnounce()
  const stored = items.filter(({ state }) => state.kind === 'stored').length
  const failed = items.filter(({ state }) => state.kind === 'failed').length
  const isBusy = items.some(({ state }) => isUnderWay(state))
  const wasBusy = useRef(isBusy)
  useEffect(() => {
    if (stored > 0) void readAgain(documentChanges)
  }, [readAgain, stored])
  useEffect(() => {
    if (wasBusy.current && !isBusy) {
      announce(`${count(stored, 'file')} stored${failed === 0 ? '' : `, ${failed} failed`}`)
    }
    wasBusy.current = isBusy
  }, [isBusy, stored, failed, announce])
}
