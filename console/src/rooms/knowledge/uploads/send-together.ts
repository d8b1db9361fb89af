/** Small files in one request, or a zip that the server takes apart; one that is refused never costs another. */
import type { Atrium } from '@atrium/sdk'
import { count } from '../../../ui/format.ts'
import { persist } from './persist.ts'
import { isZip, reasonOf, refusal, type Tell, type UploadItem, type UploadState } from './upload.ts'

type Batch = Awaited<ReturnType<Atrium['knowledge']['documents']['uploadMany']>>
type BatchFile = Batch['files'][number]

export async function sendTogether(
  items: readonly UploadItem[],
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const [first] = items
  if (first === undefined) return
  const { atrium, collectionId, replace } = first.target
  const tellAll = (state: UploadState): void => {
    for (const { id } of items) tell(id, state)
  }
  // The same for each attempt: what has come is not taken twice.
  const idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const batch = await persist(
    () => {
      tellAll({ kind: 'sending', sent: null })
      return atrium.knowledge.documents.uploadMany(
        {
          collectionId,
          externalIds: replace ? 'path' : 'none',
          files: items.map(({ name, file }) => ({ name, content: file })),
        },
        { signal, idempotencyKey, maxRetries: 0 },
      )
    },
    { signal, onInterrupted: () => tellAll({ kind: 'interrupted', sent: null }) },
  )
  if (items.length === 1 && isZip(first)) tell(first.id, stateOfZip(batch))
  else
    items.forEach(({ id }, place) => {
      tell(id, stateOf(batch.files[place]))
    })
}

const notes = { created: 'Stored', changed: 'New version', unchanged: 'Unchanged', rejected: '' }

function stateOf(file: BatchFile | undefined): UploadState {
  if (file === undefined)
    return { kind: 'failed', reason: 'The server did not say what became of it.', mayPass: true }
  if (file.outcome === 'rejected') return refusal(file.error)
  return { kind: 'stored', note: notes[file.outcome], details: [] }
}

function stateOfZip({ files, created, changed, unchanged, rejected }: Batch): UploadState {
  const refused = files.filter(({ outcome }) => outcome === 'rejected')
  const [only] = files
  if (created + changed + unchanged === 0)
    return only?.error == null
      ? { kind: 'failed', reason: 'There is no file in it that can be read.', mayPass: false }
      : refusal(only.error)
  const parts = [
    [created, 'new'],
    [changed, 'changed'],
    [unchanged, 'unchanged'],
    [rejected, 'refused'],
  ] as const
  return {
    kind: 'stored',
    note: `${count(files.length, 'file')}: ${parts
      .filter(([number]) => number > 0)
      .map(([number, word]) => `${number} ${word}`)
      .join(', ')}`,
    details: refused.map(({ name, error }) => `${name}: ${reasonOf(error)}`),
  }
}
