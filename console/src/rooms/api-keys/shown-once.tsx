/** The secret, this once, and a call that works with it as it is pasted. */
import type { ApiKey } from '@atrium/sdk'
import { CodeBlock, CopyField } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notices.tsx'

export function ShownOnce({ apiKey, secret }: { apiKey: ApiKey; secret: string }) {
  const { path, does } = firstCall(apiKey.permissions)
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="warn" title="Copy it now">
        Atrium stores only a fingerprint of it, so even the operator cannot show it again.
      </Notice>
      <CopyField label="API key" what="API key" value={secret} />
      <CodeBlock
        label={does}
        code={`curl -s ${window.location.origin}/api/v1${path} \\\n  -H "Authorization: Bearer ${secret}"`}
      />
    </div>
  )
}

function firstCall(permissions: readonly string[]): { path: string; does: string } {
  if (permissions.includes('agents:read')) return { path: '/agents', does: 'Try it: list the agents' }
  if (permissions.includes('knowledge:read'))
    return { path: '/knowledge/collections', does: 'Try it: list the collections' }
  return { path: '/workspace', does: 'Try it: see the workspace' }
}
