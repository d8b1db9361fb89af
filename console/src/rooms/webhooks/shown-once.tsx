/** The secret, this once, and receivers that verify by it as they are pasted. */
import { CodeBlock, CopyField } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notices.tsx'

export function ShownOnce({ secret }: { secret: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Notice tone="warn" title="Copy it now">
        Deliveries are signed by it, and nothing shows it again. Verify each delivery before you trust it.
      </Notice>
      <CopyField label="Signing secret" what="signing secret" value={secret} />
      <CodeBlock label="A receiver for Node, without a package" code={plainReceiver(secret)} />
      <CodeBlock label="By the SDK" code={sdkReceiver(secret)} />
    </div>
  )
}

const plainReceiver = (secret: string): string => `// node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from('${secret}'.slice('whsec_'.length), 'base64')

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' } = request.headers
  const wanted = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest()
  const isRight = given.split(' ').some(one => {
    const signature = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return signature.length === wanted.length && timingSafeEqual(signature, wanted)
  })
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300
  response.writeHead(isRight && isFresh ? 204 : 400).end()
  // The same event may come again: it has the same id then.
  if (isRight && isFresh) console.log(JSON.parse(body))
}).listen(process.env.PORT ?? 3000)`

const sdkReceiver = (secret: string): string => `import { verifyWebhook } from '@atrium/sdk'

// The body as it came, not parsed; throws if the signature is not right.
const event = await verifyWebhook(body, request.headers, '${secret}')`
