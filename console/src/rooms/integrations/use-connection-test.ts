/** Calling a service once, and saying what came of it. */

import type { Connection } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useApiMutation } from '../../api/queries.ts'
import { type Toast, useToasts } from '../../ui/toast.tsx'

export function useConnectionTest({ id, name, status }: Connection) {
  const toasts = useToasts()
  const { mutate, isPending } = useApiMutation(
    (atrium, connectionId: string) => atrium.integrations.test(connectionId),
    { changes: [['integrations']] },
  )
  return {
    isPending,
    /** What never was connected has nothing to be tested. */
    isPossible: status === 'active' || status === 'needs_reauth',
    run: () =>
      mutate(id, {
        onSuccess: ({ ok, error }) =>
          toasts.show(
            ok
              ? { title: `“${name}” works` }
              : withoutUndefined<Toast>({
                  title: `“${name}” does not work`,
                  tone: 'danger',
                  description: error ? error.message : undefined,
                }),
          ),
        onError: toasts.fail,
      }),
  }
}
