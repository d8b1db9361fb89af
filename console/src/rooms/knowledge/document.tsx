/** A document: its text with the cited passage marked, its versions, what is known of it. */
import type { Document } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Download, RotateCcw, Trash2 } from 'lucide-react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import { useSaveFile } from '../../api/save-file.ts'
import { useAtrium, useMay } from '../../api/scope.tsx'
import { useRoomParam, useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { documentTitle, fileNameOf, formatBytes } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Progress } from '../../ui/waiting.tsx'
import { documentChanges, useDeleteDocuments } from './changes.ts'
import { DocumentDetails } from './document-details.tsx'
import { DocumentWarnings, FailureReason, isProcessing, statusWords } from './document-status.tsx'
import { DocumentText } from './document-text.tsx'
import { DocumentVersions } from './document-versions.tsx'

const pollMs = 1_500

export function Room() {
  const documentId = useRoomParam('documentId')
  const mayWrite = useMay('knowledge:write')
  const [tab, setTab] = useSearchValue('tab', 'text')
  const document = useApiQuery(
    ['documents', documentId],
    (atrium, options) => atrium.knowledge.documents.get(documentId, options),
    { refetchInterval: data => (data !== undefined && isProcessing(data) ? pollMs : false) },
  )
  const { data } = document
  const collection = useApiQuery(
    ['collections', data?.collectionId],
    (atrium, options) => atrium.knowledge.collections.get(data?.collectionId ?? '', options),
    { enabled: data !== undefined },
  )
  return (
    <Page
      back={
        data === undefined
          ? { to: '/knowledge', label: 'Knowledge' }
          : {
              to: `/knowledge/collections/${data.collectionId}`,
              label: collection.data?.name ?? 'The collection',
            }
      }
      title={
        <span className="[overflow-wrap:anywhere]">
          {data === undefined ? 'Document' : documentTitle(data)}
        </span>
      }
      description={data && <Facts document={data} />}
      actions={data && <Actions document={data} mayWrite={mayWrite} />}
    >
      <Loaded query={document}>
        {loaded => (
          <>
            <State document={loaded} mayWrite={mayWrite} />
            <Tabs
              label="Views of the document"
              value={tab}
              onChange={setTab}
              tabs={[
                { value: 'text', label: 'Text', content: <DocumentText document={loaded} /> },
                {
                  value: 'versions',
                  label: 'Versions',
                  content: <DocumentVersions document={loaded} mayWrite={mayWrite} />,
                },
                {
                  value: 'details',
                  label: 'Details',
                  content: <DocumentDetails document={loaded} mayWrite={mayWrite} />,
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ document }: { document: Document }) {
  const { name, sizeBytes, pageCount, version } = document
  const facts = [
    documentTitle(document) === name ? null : name,
    formatBytes(sizeBytes),
    pageCount === null ? null : `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`,
    version > 1 ? `version ${version}` : null,
  ]
  return (
    <span className="text-[13px] [overflow-wrap:anywhere]">
      {facts.filter(fact => fact !== null).join(' · ')}
    </span>
  )
}

function Actions({ document, mayWrite }: { document: Document; mayWrite: boolean }) {
  const { id, name, collectionId } = document
  const atrium = useAtrium()
  const saveFile = useSaveFile()
  const navigate = useNavigate()
  const toasts = useToasts()
  const remove = useDeleteDocuments()
  const moveToTrash = async () => {
    // First away from here: this page would read what is no longer there.
    await navigate({ to: '/knowledge/collections/$collectionId', params: { collectionId } })
    await remove([document])
  }
  return (
    <>
      {mayWrite && (
        <Button icon={Trash2} onClick={() => void moveToTrash().catch(toasts.fail)}>
          Move to the trash
        </Button>
      )}
      <Button
        icon={Download}
        onClick={() => saveFile(() => atrium.knowledge.documents.original(id), fileNameOf(name))}
      >
        Download the file
      </Button>
    </>
  )
}

/** Nothing where it is ready and was read in full. */
function State({ document, mayWrite }: { document: Document; mayWrite: boolean }) {
  const { id, status, progress, servedVersion } = document
  const retry = useApiAction(atrium => atrium.knowledge.documents.retry(id), { changes: documentChanges })
  if (status === 'ready') return <DocumentWarnings document={document} />
  if (status !== 'failed') {
    return (
      <Notice title={`${statusWords[status]}…`}>
        <p className="mb-2 text-muted">
          {servedVersion === null
            ? 'It is found as soon as it is ready.'
            : `Version ${servedVersion} is found until this one is ready.`}
        </p>
        <Progress label="Processing" value={progress} />
      </Notice>
    )
  }
  return (
    <Notice
      tone="danger"
      title="This document could not be read"
      action={
        mayWrite && (
          <Button size="small" icon={RotateCcw} busy={retry.isPending} onClick={() => retry.run()}>
            Try again
          </Button>
        )
      }
    >
      <FailureReason document={document} />
    </Notice>
  )
}
