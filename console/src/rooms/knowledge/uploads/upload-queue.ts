/** Files on their way to the server: a few at a time, taken up again when the line was broken, whatever room is open meanwhile. */
import { ApiError } from '@atrium/sdk'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { explain } from '../../../api/explain-error.ts'
import { useReadAgain } from '../../../api/queries.ts'
import { useScope } from '../../../api/scope.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { count } from '../../../ui/format.ts'
import { documentChanges } from '../changes.ts'
import { forgetUpload, sendLarge } from './send-large.ts'
import { sendTogether } from './send-together.ts'
import {
  isUnderWay,
  type NamedFile,
  refusal,
  type Unit,
  type UploadItem,
  type UploadState,
  type UploadTarget,
  unitsOf,
  unsupportedType,
} from './upload.ts'

const lanes = 3

function createUploadQueue() {
  let items: readonly UploadItem[] = []
  let nextId = 1
  let busy = 0
  const waiting: Unit[] = []
  const underWay = new Map<number, AbortController>()
  const listeners = new Set<() => void>()

  const publish = (changed: readonly UploadItem[]): void => {
    items = changed
    for (const listener of listeners) listener()
  }
  const tell = (id: number, state: UploadState): void =>
    publish(
      items.map(item => (item.id === id && item.state.kind !== 'cancelled' ? { ...item, state } : item)),
    )

  const enqueue = (added: readonly UploadItem[]): void => {
    waiting.push(...unitsOf(added))
    while (busy < lanes && waiting.length > 0) void work()
  }

  const work = async (): Promise<void> => {
    busy += 1
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) await send(unit)
    busy -= 1
  }

  const send = async (unit: Unit): Promise<void> => {
    const alive = unit.items.filter(({ id }) => items.find(item => item.id === id)?.state.kind === 'waiting')
    if (alive.length === 0) return
    const controller = new AbortController()
    for (const { id } of alive) underWay.set(id, controller)
    try {
      await (unit.kind === 'large'
        ? sendLarge(alive, controller.signal, tell)
        : sendTogether(alive, controller.signal, tell))
    } catch (error) {
      if (!controller.signal.aborted) {
        for (const { id } of alive) tell(id, failureOf(error))
      }
    } finally {
      for (const { id } of alive) underWay.delete(id)
    }
    // One file of a request cannot be cancelled by itself: the others are sent again without it.
    if (controller.signal.aborted)
      sendAgain(({ id, state }) => isUnderWay(state) && alive.some(item => item.id === id))
  }

  const sendAgain = (isChosen: (item: UploadItem) => boolean): void => {
    const chosen = items.filter(isChosen).map((item): UploadItem => ({ ...item, state: { kind: 'waiting' } }))
    publish(items.map(item => chosen.find(({ id }) => id === item.id) ?? item))
    enqueue(chosen)
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => items,
    add: (target: UploadTarget, files: readonly NamedFile[]): void => {
      const added = files.map(
        ({ file, name }): UploadItem => ({ id: nextId++, target, file, name, state: { kind: 'waiting' } }),
      )
      publish([...items, ...added])
      enqueue(added)
    },
    retry: (id: number): void => sendAgain(item => item.id === id),
    cancel: (id: number): void => {
      const item = items.find(one => one.id === id)
      if (item === undefined) return
      tell(id, { kind: 'cancelled' })
      underWay.get(id)?.abort()
      void forgetUpload(item)
    },
    /** Takes what has ended off the list. */
    clear: (key: string): void =>
      publish(items.filter(item => item.target.key !== key || isUnderWay(item.state))),
  }
}

function failureOf(error: unknown): UploadState {
  if (error instanceof ApiError && error.code === unsupportedType) return refusal(error)
  const { title, remedy, fields } = explain(error)
  const reason = fields.length === 0 ? `${title}. ${remedy}` : fields.map(({ message }) => message).join('; ')
  return { kind: 'failed', reason, mayPass: true }
}

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
