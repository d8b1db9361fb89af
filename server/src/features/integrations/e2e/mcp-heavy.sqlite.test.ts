/** Heavy lists of a hostile MCP server: others get their turn while they are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startToolApp } from '../../../testing/apps/tool-app.ts'
import { cheapestTurnMs } from '../../../testing/costs/processor-time.ts'
import { startMcpServer } from '../../../testing/servers/mcp-server.ts'

const mostMs = 50
const keys = (count: number, value = '{}') =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":${value}`).join()}}`
const tool = (name: string, schema: string, description = '') =>
  `{"name":"${name}","description":"${description}","inputSchema":{"type":"object","properties":${schema}}}`
const longText = 'x'.repeat(3_900_000)

/** The tools of one page; each page of a list has the same, with other names. */
const pages: Record<string, (page: number) => string> = {
  'one tool of 37,000 properties': page => tool(`wide_${page}`, keys(37_000)),
  'one tool of 37,000 numbers': page => tool(`sum_${page}`, `{"a":{"enum":[${'1,'.repeat(74_000)}1]}}`),
  'one long text': page => tool(`long_${page}`, `{"a":{"const":"${longText}"}}`),
  'one long description': page => tool(`told_${page}`, '{}', longText),
  'ten tools of 3,000 properties': page =>
    Array.from({ length: 10 }, (_, at) => tool(`t_${page}_${at}`, keys(3_000, '1'))).join(),
  '37,000 empty tools': () => `${'{},'.repeat(37_000)}{}`,
}

test('20 heavy pages of a list of tools take 50 ms of the main thread at a time', async t => {
  const tools = await startToolApp()
  const mcp = await startMcpServer()
  try {
    const { status, body } = await tools.app.request('POST', '/integrations/connect', {
      key: tools.app.liveKey,
      body: { integrationId: 'mcp', config: { url: mcp.url } },
    })
    assert.equal(status, 201)
    const slow: string[] = []
    for (const [name, page] of Object.entries(pages)) {
      const written = Array.from({ length: 20 }, (_, at) =>
        Buffer.from(
          `"result":{"tools":[${page(at)}],"nextCursor":"${at + 1}","resultType":"complete","ttlMs":0,"cacheScope":"private"}}`,
        ),
      )
      mcp.lie = ({ id, method, params }, response) => {
        if (method !== 'tools/list') return false
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},`)
        response.end(written[Number(params?.cursor ?? 0)])
        return true
      }
      const begun = process.cpuUsage()
      let asked = 0
      let note = ''
      const turnMs = await cheapestTurnMs(mostMs, async () => {
        asked++
        const reply = await tools.app.request('POST', `/integrations/${body.data.id}/tools/refresh`, {
          key: tools.app.liveKey,
        })
        assert.equal(reply.status, 200)
        note = reply.body.data.note
      })
      const { user, system } = process.cpuUsage(begun)
      const totalMs = (user + system) / 1_000 / asked
      t.diagnostic(`${name}: ${Math.round(turnMs)} ms, ${Math.round(totalMs)} ms in all, ${note}`)
      if (turnMs > mostMs) slow.push(`${name}: ${Math.round(turnMs)} ms`)
    }
    assert.deepEqual(slow, [])
  } finally {
    await mcp.close()
    await tools.close()
  }
})
