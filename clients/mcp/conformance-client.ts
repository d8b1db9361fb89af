/** What the conformance suite starts for each scenario: it has Atrium use the server, and ends as that did. */
import { argv, env } from 'node:process'

const { ATRIUM_DOOR = '', MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT } = env
const body = JSON.stringify({
  url: argv.at(-1),
  scenario: MCP_CONFORMANCE_SCENARIO,
  context: JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}'),
})
const reply = await fetch(ATRIUM_DOOR, { method: 'POST', body })
process.stdout.write(await reply.text())
process.exitCode = reply.ok ? 0 : 1
