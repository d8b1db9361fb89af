/** Where a document stands on its way to being found, and why it failed. */
import type { Document } from '@atrium/sdk'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { Progress } from '../../ui/waiting.tsx'

export const statusWords: Readonly<Record<Document['status'], string>> = {
  queued: 'Waiting',
  parsing: 'Being read',
  embedding: 'Being embedded',
  indexing: 'Being indexed',
  ready: 'Ready',
  failed: 'Failed',
}

export const isProcessing = ({ status }: Pick<Document, 'status'>): boolean =>
  status !== 'ready' && status !== 'failed'

export function DocumentStatus({ document }: { document: Document }) {
  const { status, progress, name } = document
  if (status === 'ready') return <StateBadge tone="good" label={statusWords.ready} />
  if (status === 'failed') return <StateBadge tone="danger" label={statusWords.failed} />
  return (
    <span className="flex w-28 flex-col gap-1.5">
      <Badge tone="accent">{statusWords[status]}</Badge>
      <Progress label={`Processing of ${name}`} value={progress} />
    </span>
  )
}

/** Remedies for errors whose message does not name one. */
const remedies: Readonly<Record<string, string>> = {
  corrupt: 'Open the file on your computer, save it again, and upload the new copy.',
  empty: 'The file has no content. Upload a file with text.',
  too_large: 'Split it into several files.',
  out_of_memory: 'Split it into several files.',
  unsupported_type: 'Save it as PDF or plain text, and upload that file.',
  archive_bomb: 'Save it as PDF or plain text, and upload that file.',
}

export function FailureReason({ document: { error, servedVersion } }: { document: Document }) {
  if (error === null) return null
  const remedy = error.retryable ? 'You can try again.' : remedies[error.code]
  return (
    <span className="text-[13px] [overflow-wrap:anywhere] text-danger-text">
      {error.message}
      {remedy !== undefined && ` ${remedy}`}
      {servedVersion !== null && ` Version ${servedVersion} stays searchable.`}
    </span>
  )
}
