/** The lane of other people's clients. */
import type { Lane } from '../part.ts'
import { fastmcpPart } from './fastmcp.ts'
import { generatedParts } from './generated/parts.ts'
import { goPart } from './go.ts'
import { javaParts } from './java.ts'
import { pythonParts } from './python.ts'
import { schemathesisPart } from './schemathesis.ts'
import { startTried, type Tried } from './server.ts'
import { suiteParts } from './suites.ts'

export const clients: Lane = createClients()

function createClients(): Lane {
  let running: Tried | undefined
  const tried = (): Tried => {
    if (running === undefined) throw new Error('The server of the lane does not run')
    return running
  }
  return {
    name: 'clients',
    budgetMinutes: { short: 8, long: 30 },
    atOnce: 2,
    parts: [
      schemathesisPart,
      ...suiteParts,
      ...generatedParts(tried),
      ...pythonParts(tried),
      goPart(tried),
      ...javaParts(tried),
      fastmcpPart(tried),
    ],
    async prepare() {
      running = await startTried()
      return running.close
    },
  }
}
