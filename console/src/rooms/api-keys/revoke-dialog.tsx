/** Ending a key, with what that means for whom. */
import type { ApiKey } from '@atrium/sdk'
import { useApiMutation } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useToasts } from '../../ui/toast.tsx'

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const toasts = useToasts()
  const { mutateAsync } = useApiMutation((atrium, id: string) => atrium.apiKeys.revoke(id), {
    changes: [['api-keys'], ['overview']],
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke the key"
      onConfirm={async () => {
        await mutateAsync(apiKey.id)
        toasts.show({ title: `“${apiKey.name}” is revoked` })
      }}
    >
      <p>
        Every program that uses <code className="font-mono text-[13px] text-ink">{apiKey.hint}</code> is
        refused within ten seconds, also in the middle of a stream. This cannot be taken back.
      </p>
      <p>
        {apiKey.lastUsedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used{' '}
            <strong className="text-ink">
              <RelativeTime time={apiKey.lastUsedAt} />
            </strong>
            . If a program still needs it, rotate the key instead: then the old secret lives on for a while.
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}
