/** A FastMCP server as an integration: its tools are listed, accepted and called in runs of the live workspace. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isListening } from '../../../server/src/testing/servers/ports.ts'
import { freePort } from '../../../server/src/testing/servers/postgres.ts'
import { startCommand } from '../command.ts'
import { pythonSet } from '../packages.ts'
import type { Outcome, Part, Work } from '../part.ts'
import type { Tried } from './server.ts'

/** What the answer of a run holds after the tool of that name was called; arguments are samples of its schema. */
const answers: Record<string, RegExp> = {
  plain: /21 degrees in Paris/,
  optional: /optional Paris/,
  enums: /enums red/,
  nested: /Rue/,
  recursive: /The tool said: /,
  union: /union/,
  numbers: /The tool said: .*\d/,
  none: /none needed/,
  image: /leftOut/,
  file: /hello from a file/,
  progress: /done after 3 steps/,
  logs: /logged/,
  fails: /the disk is full/,
  nothing: /The tool said: /,
  big: /x{1000}/,
  // A run has no person to ask.
  asks: /elicitation/i,
  'näme with spaces/and.slash': /weird/,
}

type Listed = { name: string; remoteName: string; hash: string; fault: string | null }

export function fastmcpPart(tried: () => Tried): Part {
  return {
    name: 'fastmcp server as an integration',
    async run(work) {
      const python = join(await pythonSet(work, 'fastmcp'), 'python')
      const cases = createCases(work)
      const open = await startServer(work, python, [])
      const guarded = await startServer(work, python, ['s3cret'])
      await tryTools(cases, tried(), open)
      await tryKeys(cases, tried(), guarded)
      return cases.outcome
    },
  }
}

type Cases = { outcome: Outcome; run(title: string, work: () => Promise<void>): Promise<void> }

function createCases({ log }: Work): Cases {
  const outcome = { passed: 0, failed: 0 }
  return {
    outcome,
    async run(title, work) {
      try {
        await work()
        outcome.passed++
      } catch (error) {
        outcome.failed++
        log(`FAIL ${title} | ${error instanceof Error ? error.message : error}`)
      }
    },
  }
}

/** Answers its address once it listens. */
async function startServer(work: Work, python: string, token: readonly string[]): Promise<string> {
  const port = await freePort()
  const program = join(work.root, 'clients/python/fastmcp_server.py')
  const server = startCommand([python, program, String(port), ...token], { signal: work.signal })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', piece => {
      output = (output + piece).slice(-5_000)
    })
  for (let left = 600; !(await isListening(port)); left--) {
    if (left === 0 || server.exitCode !== null)
      throw new Error(`The FastMCP server does not listen: ${output}`)
    await sleep(100)
  }
  return `http://127.0.0.1:${port}/mcp`
}

async function tryTools({ run }: Cases, { request, live }: Tried, url: string): Promise<void> {
  const { id } = await request(live.key, 'POST', '/integrations/connect', {
    integrationId: 'mcp',
    name: 'Odd',
    config: { url },
  })
  const tools: Listed[] = await request(live.key, 'GET', `/integrations/${id}/tools?pageSize=100`)
  await run('each tool is listed, without a fault', async () => {
    const missing = Object.keys(answers).filter(name => !tools.some(tool => tool.remoteName === name))
    if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}`)
    const faults = tools.filter(({ fault }) => fault !== null)
    if (faults.length > 0) throw new Error(JSON.stringify(faults))
  })
  await request(live.key, 'POST', `/integrations/${id}/tools`, {
    tools: tools.map(({ name, hash }) => ({ name, accept: hash, needsApproval: false })),
  })
  for (const tool of tools)
    await run(`${tool.remoteName} is called in a run`, async () => {
      const agent = await request(live.key, 'POST', '/agents', {
        name: 'Odd',
        model: 'openai/test-model',
        tools: [tool.name],
        connectionIds: [id],
      })
      const result = await request(live.key, 'POST', `/agents/${agent.id}/run`, {
        prompt: 'How is the weather?',
      })
      await request(live.key, 'DELETE', `/agents/${agent.id}`)
      if (result.status !== 'succeeded' || !answers[tool.remoteName]?.test(result.output))
        throw new Error(JSON.stringify([result.status, result.output, result.error]).slice(0, 500))
    })
}

async function tryKeys({ run }: Cases, { request, live }: Tried, url: string): Promise<void> {
  const connectWith = (credentials: object | undefined) =>
    request(live.key, 'POST', '/integrations/connect', {
      integrationId: 'mcp',
      name: 'Guarded',
      config: { url },
      credentials,
    })
  await run('the right key connects', async () => {
    const { status } = await connectWith({ apiKey: 's3cret' })
    if (status !== 'active') throw new Error(`The connection is ${status}`)
  })
  for (const [title, credentials] of [
    ['a wrong key', { apiKey: 'wrong' }],
    ['no key', undefined],
  ] as const)
    await run(`${title} is refused`, async () => {
      const refusal = await connectWith(credentials).then(
        () => 'connected',
        (error: Error) => error.message,
      )
      if (!refusal.includes('answered 422')) throw new Error(refusal)
    })
}
