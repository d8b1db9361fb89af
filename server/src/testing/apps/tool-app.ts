/** A server whose agents have tools, with a scripted model server and a host on loopback that it may send requests to. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { createSafeFetch } from '../../platform/fetch/safe-fetch.ts'
import {
  type CompletionRequest,
  type ModelBehaviour,
  type ModelServer,
  startModelServer,
} from '../servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../test-app.ts'

export type HostRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

export type ToolApp = {
  app: TestApp
  modelServer: ModelServer
  /** The host's name with its port, as an agent's `httpHosts` has it. */
  host: string
  /** What has reached the host. */
  requests: HostRequest[]
  /** How the host answers from now on; 200 with `{"ok":true}` unless set. */
  setAnswer(answer: (request: HostRequest, response: ServerResponse) => void): void
  /** Returns the model's requests one after the other; the last behaviour is repeated. */
  script(...behaviours: ModelBehaviour[]): void
  createAgent(body: Record<string, unknown>, key?: TestKey): Promise<string>
  /** Approves all that a run waits for; returns the run as it stands then. */
  // biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
  approveAll(run: any, key?: TestKey): Promise<any>
  close(): Promise<void>
}

export const calls = (...wanted: [name: string, input: unknown][]): ModelBehaviour => ({
  kind: 'tool_calls',
  calls: wanted.map(([name, input]) => ({ name, arguments: input })),
})

export const says = (text: string): ModelBehaviour => ({ kind: 'answer', text })

/** What the model was told of its last tool calls, by the ids of the calls. */
export function toldBy({ messages }: CompletionRequest): Map<string, string> {
  return new Map(
    messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id = '', content }) => [id, String(content)]),
  )
}

const loopback = ['127.0.0.0/8']

export async function startToolApp(
  settings: Record<string, string> = {},
  clock?: () => number,
): Promise<ToolApp> {
  const modelServer = await startModelServer()
  const requests: HostRequest[] = []
  let answer = (_: HostRequest, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  }
  const host = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() }
      requests.push(received)
      answer(received, response)
    })
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  const { port } = host.address() as AddressInfo
  const app = await startTestApp(
    withoutUndefined({
      settings: { OPENAI_BASE_URL: modelServer.baseUrl, ...settings },
      clock,
      adapt: dependencies => ({
        ...dependencies,
        safeFetch: createSafeFetch({
          allowedPrivateNetworks: loopback,
          // Every name leads to the host of this test.
          lookup: async () => [{ address: '127.0.0.1', family: 4 }],
        }),
      }),
    }),
  )
  return {
    app,
    modelServer,
    host: `api.example.com:${port}`,
    requests,
    setAnswer: next => {
      answer = next
    },
    script: (...behaviours) => {
      modelServer.requests.length = 0
      modelServer.setScript(
        (_, index) => behaviours[Math.min(index, behaviours.length - 1)] ?? { kind: 'never' },
      )
    },
    async createAgent(body, key = app.liveKey) {
      const reply = await app.request('POST', '/agents', {
        key,
        body: { name: 'Worker', model: 'openai/test-model', ...body },
      })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body.data.id
    },
    async approveAll({ id, pendingApprovals }, key = app.liveKey) {
      const decisions = pendingApprovals.map(({ toolCallId }: { toolCallId: string }) => ({
        toolCallId,
        decision: 'approve',
      }))
      const headers = { prefer: 'wait=30' }
      const reply = await app.request('POST', `/runs/${id}/approvals`, { key, headers, body: { decisions } })
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      return reply.body.data
    },
    async close() {
      await app.close()
      await modelServer.close()
      host.close()
      host.closeAllConnections()
    },
  }
}
