/** What stands in an empty playground: what it is for, and prompts to begin with. */
import type { Agent } from '@atrium/sdk'
import { FlaskConical, MessagesSquare } from 'lucide-react'
import { useScope } from '../../../api/scope.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notices.tsx'

const simulations = [
  { prompt: 'sim:reasoning sim:stream=20', does: 'Thinks, then writes twenty words' },
  { prompt: 'sim:slow=30s', does: 'Takes long enough to be stopped' },
  { prompt: 'sim:approval', does: 'Waits for your approval of a tool' },
  { prompt: 'sim:disconnect_after=3 sim:stream=20', does: 'Breaks the connection, which is taken up again' },
  { prompt: 'sim:stream=5 sim:unavailable', does: 'Breaks off in the middle of the answer' },
  { prompt: 'sim:tool_error', does: 'Fails by its tools' },
]

export function FirstWords() {
  return (
    <EmptyState icon={MessagesSquare} title="Try the agent">
      Ask it what your users will ask. You see each step as it happens: what it searches, which tools it
      calls, what it costs. The numbers in its answer open the passage that they stand for.
    </EmptyState>
  )
}

type SimulationsProps = { agent: Agent; onChoose: (prompt: string) => void }

/** Only the sandbox brings about whatever is asked for. */
export function Simulations({ agent, onChoose }: SimulationsProps) {
  const { environment } = useScope()
  if (environment !== 'test') return null
  const usable = simulations.filter(
    ({ prompt }) => prompt !== 'sim:approval' || agent.approvalTools.length > 0,
  )
  return (
    <Notice title="In the sandbox, prompts that begin with sim: bring about any outcome">
      <p className="mb-3 text-muted">
        They cost nothing and are the same each time, so that a program can be tested with them too.
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {usable.map(({ prompt, does }) => (
          <li key={prompt} className="flex min-w-0 flex-col items-start gap-0.5">
            <Button size="small" icon={FlaskConical} className="max-w-full" onClick={() => onChoose(prompt)}>
              <span className="min-w-0 truncate font-mono text-[12px]">{prompt}</span>
            </Button>
            <span className="text-[13px] text-muted">{does}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
