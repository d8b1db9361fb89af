/** Where a document stands on its way to being found, and why it failed. */
import type { Document } from '@atrium/sdk'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
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

type Words = readonly [one: string, many: string]

const lossWords: Readonly<Record<string, Words>> = {
  pages_without_text: ['page has no text', 'pages have no text'],
  page_not_read: ['page is damaged and was left out', 'pages are damaged and were left out'],
  pictures_not_read: ['picture was not searched for text', 'pictures were not searched for text'],
  attachment_not_read: ['attached file was not read', 'attached files were not read'],
  files_left_out: ['more attached file is not listed', 'more attached files are not listed'],
  formula_flattened: ['formula lost its arrangement', 'formulas lost their arrangement'],
  part_not_read: ['part could not be read', 'parts could not be read'],
  text_cut: ['text was cut off', 'texts were cut off'],
  lines_added: [
    'line follows its page instead of its place',
    'lines follow their page instead of their place',
  ],
}
const otherLoss: Words = ['part was not read', 'parts were not read']

const mostPagesShown = 12

/** What a document that is ready lacks, in words. */
export function DocumentWarnings({ document: { warnings } }: { document: Pick<Document, 'warnings'> }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="warn" title="Not everything in this file was read">
      <ul className="list-disc ps-5 text-[13px]">
        {warnings.map(({ code, count, pages }) => (
          <li key={code}>
            {formatNumber(count)} {(lossWords[code] ?? otherLoss)[count === 1 ? 0 : 1]}
            {pages.length > 0 && ` (${pagesInWords(pages)})`}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function pagesInWords(pages: readonly number[]): string {
  const shown = pages.slice(0, mostPagesShown).join(', ')
  const more = pages.length > mostPagesShown ? ' …' : ''
  return `${pages.length === 1 ? 'page' : 'pages'} ${shown}${more}`
}
