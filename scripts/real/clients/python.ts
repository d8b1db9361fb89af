/** Python packages at Atrium's doors: each program of `clients/python` in an environment that holds its package alone. */
import { join } from 'node:path'
import { runCommand } from '../command.ts'
import { pythonSet } from '../packages.ts'
import type { Outcome, Part, Work } from '../part.ts'
import type { Tried } from './server.ts'

type Program = { file: string; set: string; isLong?: boolean }

/** In the long form, each package also with its oldest major that still has a user. */
const programs: Program[] = [
  { file: 'use_openai.py', set: 'openai-3' },
  { file: 'use_openai.py', set: 'openai-1' },
  { file: 'use_openai.py', set: 'openai-2', isLong: true },
  ...both('use_langchain.py', 'langchain'),
  ...both('use_llama_index.py', 'llama-index'),
  ...both('use_litellm.py', 'litellm'),
  ...both('use_haystack.py', 'haystack'),
  ...both('use_pydantic_ai.py', 'pydantic-ai'),
  ...both('use_instructor.py', 'instructor'),
  ...both('use_openai_agents.py', 'openai-agents'),
  ...both('use_dspy.py', 'dspy'),
  { file: 'use_httpx_sse.py', set: 'httpx-sse' },
  { file: 'use_sse_readers.py', set: 'sse-readers' },
  ...['agno', 'smolagents', 'autogen', 'semantic-kernel', 'crewai', 'aider'].map(set => ({
    file: `use_${set.replace('-', '_')}.py`,
    set,
    isLong: true,
  })),
  { file: 'use_mcp.py', set: 'mcp-2' },
  { file: 'use_mcp.py', set: 'mcp-1' },
  { file: 'use_fastmcp.py', set: 'fastmcp' },
]

function both(file: string, set: string): Program[] {
  return [
    { file, set },
    { file, set: `${set}-oldest`, isLong: true },
  ]
}

export function pythonParts(tried: () => Tried): Part[] {
  return programs.map(({ file, set, isLong }) => ({
    name: `python ${set}`,
    isMain: set === 'openai-3',
    isLong: isLong ?? false,
    run: async work => {
      const bin = await pythonSet(work, set)
      return runProgram(work, [join(bin, 'python'), join(work.root, 'clients/python', file)], tried())
    },
  }))
}

/** A program that prints its cases, and ends with `N passed, N failed`. */
export async function runProgram(
  work: Work,
  command: readonly string[],
  tried: Tried,
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const { status, output } = await runCommand(command, {
    signal: work.signal,
    environment: { ...atHome(work), ...doorsOf(tried), ...environment },
  })
  work.log(output)
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  if (passed === undefined || failed === undefined) {
    work.log(`The program ended with ${status}, without its closing line`)
    return { passed: 0, failed: 1 }
  }
  return { passed: Number(passed), failed: Number(failed) }
}

const doorsOf = ({ origin, sandbox, live }: Tried) => ({
  ATRIUM_ORIGIN: origin,
  ATRIUM_SANDBOX: JSON.stringify(sandbox),
  ATRIUM_LIVE: JSON.stringify(live),
})

/** No package sends what it counts, asks a hub or fetches a price list. */
const atHome = ({ root }: Work): Record<string, string> => ({
  PYTHONPATH: join(root, 'clients/python'),
  PYTHONDONTWRITEBYTECODE: '1',
  DO_NOT_TRACK: '1',
  HAYSTACK_TELEMETRY_ENABLED: 'False',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  LANGSMITH_TRACING: 'false',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  CREWAI_DISABLE_TELEMETRY: 'true',
  AGNO_TELEMETRY: 'false',
  OTEL_SDK_DISABLED: 'true',
  HF_HUB_OFFLINE: '1',
  // Some packages ask for it even where another key is given.
  OPENAI_API_KEY: 'unused',
})
