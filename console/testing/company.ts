/** A made-up company of a believable size, for pictures of the console: its people, documents, agents and weeks of use. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgentIn } from '../../server/src/testing/apps/agent-app.ts'
import { signIn } from '../../server/src/testing/apps/signed-in.ts'
import { eventually } from '../../server/src/testing/eventually.ts'
import { putAndWait, uploadAndWait } from '../../server/src/testing/knowledge/knowledge.ts'
import {
  type CompletionRequest,
  type ModelBehaviour,
  startModelServer,
} from '../../server/src/testing/servers/model-server.ts'
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts'

const dayMs = 86_400_000
const model = 'openai/gpt-5.4-mini'

const people = [
  { name: 'Jonas Weber', role: 'admin', team: 'People & Culture' },
  { name: 'Priya Nair', role: 'admin', team: 'IT' },
  { name: 'Tomasz Kowalski', role: 'member', team: 'Quality' },
  { name: 'Elena Rossi', role: 'member', team: 'Quality' },
  { name: 'David Okafor', role: 'member', team: 'Customer Service' },
  { name: 'Sofie Lindqvist', role: 'member', team: 'Customer Service' },
  { name: 'Mateo Alvarez', role: 'viewer', team: 'Production' },
] as const

const teams = {
  'People & Culture': 'Hiring, contracts, leave and everything about working here.',
  Quality: 'Audits, complaints and the HACCP plan.',
  'Customer Service': 'Answers retailers and consumers, by phone and mail.',
  Production: 'The bakery in Lund and the frozen line in Malmö.',
  IT: null,
}

const leavePolicy = `# Leave and holidays

This policy applies to all employees of Halvorsen Foods, whatever their hours.

## Annual leave

Full-time employees have 30 days of paid annual leave a year. Up to five unused days can be carried over; they must be taken by 31 March of the following year. Ask your manager at least two weeks before leave of more than three days.

## Parental leave

Parents can take up to 240 days of parental leave each. The company tops the statutory pay up to 90 % of the salary for the first 180 days. Tell People & Culture three months before the leave begins.

## Sick leave

Report on the first day, before your shift begins. A doctor’s certificate is needed from the eighth day on.

## Moving house

You have one paid day when you move house, once in a calendar year.
`

const documents: Record<string, Record<string, string>> = {
  'Employee handbook': {
    'handbook/leave-and-holidays.md': leavePolicy,
    'handbook/travel-and-expenses.md':
      '# Travel and expenses\n\nBook trains through the travel desk. Hotels may cost up to 140 euros a night, 190 in Oslo, London and Zurich. Claim expenses within 30 days, with a receipt from 10 euros on.\n\n## Mileage\n\nThe use of your own car is paid with 0.38 euros a kilometre.',
    'handbook/remote-work.md':
      '# Remote work\n\nOffice staff can work from home up to three days a week. Core hours are 9:30 to 15:00. Working from another country for more than ten days needs the consent of People & Culture.',
    'handbook/onboarding-checklist.md':
      '# Onboarding checklist\n\nBefore the first day: contract signed, laptop ordered, access card made. In the first week: food safety training, a tour of the bakery, and lunch with the team.',
    'handbook/code-of-conduct.md':
      '# Code of conduct\n\nGifts of suppliers worth more than 30 euros are declined. Concerns can be raised with any manager, or without a name through the ethics line.',
  },
  'Quality manual': {
    'QM-04 HACCP plan frozen line.md':
      '# QM-04 HACCP plan of the frozen line\n\nCritical control point 2 is the blast freezer. The core temperature must reach −18 °C within 90 minutes. Readings are logged every 15 minutes; a deviation stops the line.',
    'QM-11 Allergen management.md':
      '# QM-11 Allergen management\n\nNuts, sesame and milk are stored apart. After a run with nuts the line is cleaned wet and swabbed before the next product.',
    'QM-17 Customer complaints.md':
      '# QM-17 Customer complaints\n\nEvery complaint is logged within one working day. Complaints about foreign bodies go to the head of quality at once, and the retained sample of the batch is opened.',
    'QM-21 Supplier audits.md':
      '# QM-21 Supplier audits\n\nSuppliers of raw materials with a high risk are audited every year, others every three years.',
  },
  'Product specifications': {
    'cinnamon-bun-80g.md':
      '# Cinnamon bun, 80 g\n\nShelf life 9 months at −18 °C. Contains wheat, milk and egg; may contain traces of nuts. Bake from frozen at 180 °C for 14 minutes.',
    'rye-crispbread-250g.md':
      '# Rye crispbread, 250 g\n\nShelf life 12 months, dry. Contains rye; may contain traces of sesame.',
    'salmon-lasagne-400g.md':
      '# Salmon lasagne, 400 g\n\nShelf life 6 months at −18 °C. Contains fish, wheat, milk and celery. Oven 200 °C for 40 minutes.',
  },
  'Machine manuals': Object.fromEntries(
    [
      'Oven 1',
      'Oven 2',
      'Spiral freezer',
      'Dough divider',
      'Flow wrapper',
      'Metal detector',
      'Palletiser',
    ].map(name => [
      `${name.toLowerCase().replace(' ', '-')}.md`,
      `# ${name}\n\n## Cleaning\n\nSwitch the machine off and lock it before it is opened. Clean it at the end of each shift.\n\n## Maintenance\n\nGrease the bearings every 500 hours. A technician inspects the safety switches once a year.`,
    ]),
  ),
  'Works agreements': {
    'shift-schedules.md':
      '# Works agreement on shift schedules\n\nSchedules are published four weeks ahead. Night work is paid with a supplement of 25 %.',
    'working-time-accounts.md':
      '# Works agreement on working-time accounts\n\nUp to 80 hours can be saved. They are taken in half days, or paid out in December.',
    'cameras-in-the-warehouse.md':
      '# Works agreement on cameras\n\nRecordings are erased after 72 hours. They are never used to judge performance.',
  },
  'Supplier contracts': {
    'flour-mill-skane-2026.md':
      '# Frame contract with the flour mill\n\nPrices are fixed for a quarter. The notice period is three months to the end of a quarter.',
  },
}

const descriptions: Record<string, string> = {
  'Employee handbook': 'How we work: leave, travel, remote work, and the code of conduct.',
  'Quality manual': 'HACCP, allergens, complaints and audits. The binding version is here.',
  'Product specifications': 'One sheet for each article: ingredients, allergens, shelf life.',
  'Machine manuals': 'How each machine is cleaned, maintained and set up.',
  'Works agreements': 'What the company and the works council have agreed.',
  'Supplier contracts': 'Frame contracts and price lists. For management and purchasing.',
}

/** Every controlled document ends with the history of its changes. */
const historyOf = (name: string): string => {
  const rows = Array.from({ length: 20 + ((name.length * 37) % 180) }, (_, index) => {
    const day = new Date(Date.UTC(2012, 0, 9) + index * 23 * dayMs).toISOString().slice(0, 10)
    return `| ${day} | 1.${index} | Reviewed, reference number ${4_100 + index * 7} | T. Kowalski |`
  })
  return `\n\n## History\n\n| Day | Version | Change | By |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

type Question = {
  agent: string
  prompt: string
  by: string
  query: string
  answer: string
  endUserId?: string
  daysAgo: number
}

const questions: readonly Question[] = [
  {
    agent: 'HR assistant',
    prompt: 'How many days of leave can I carry over into next year?',
    by: 'Sofie Lindqvist',
    query: 'carry over unused annual leave',
    answer:
      'You can carry over **up to five unused days** of your annual leave. [1]\n\nThey must be taken by **31 March** of the following year; after that they lapse. [1]',
    daysAgo: 12,
  },
  {
    agent: 'HR assistant',
    prompt: 'My child is due in May. How much parental leave do I get, and what is paid?',
    by: 'Tomasz Kowalski',
    query: 'parental leave days and pay',
    answer:
      'Congratulations! Each parent can take **up to 240 days** of parental leave. [1]\n\n- For the first 180 days the company tops the statutory pay up to **90 % of your salary**. [1]\n- Tell People & Culture **three months before** the leave begins. [1]',
    daysAgo: 9,
  },
  {
    agent: 'Quality advisor',
    prompt: 'Which temperature does the frozen line have to reach, and how fast?',
    by: 'Elena Rossi',
    query: 'blast freezer core temperature critical control point',
    answer:
      'The core temperature must reach **−18 °C within 90 minutes**. This is critical control point 2, the blast freezer. [1]\n\nReadings are logged every 15 minutes, and a deviation stops the line. [1]',
    daysAgo: 8,
  },
  {
    agent: 'Customer service drafts',
    prompt: 'A customer asks whether the cinnamon bun contains nuts. Draft a reply.',
    by: 'David Okafor',
    query: 'cinnamon bun allergens nuts',
    answer:
      'Dear customer,\n\nthank you for your question. Our cinnamon bun contains wheat, milk and egg. It contains no nuts as an ingredient, but **may contain traces of nuts**. [1]\n\nKind regards,\nHalvorsen Foods',
    endUserId: 'ticket-48213',
    daysAgo: 6,
  },
  {
    agent: 'HR assistant',
    prompt: 'What may a hotel cost in Zurich?',
    by: 'Priya Nair',
    query: 'hotel price limit Zurich',
    answer:
      'In Zurich a hotel may cost **up to 190 euros a night**. [1] Elsewhere the limit is 140 euros. [1]',
    daysAgo: 5,
  },
  {
    agent: 'Quality advisor',
    prompt: 'A retailer reports a piece of plastic in a lasagne. What do we do first?',
    by: 'Elena Rossi',
    query: 'complaint foreign body procedure',
    answer:
      'Tell the **head of quality at once**, and open the retained sample of the batch. [1] Log the complaint within one working day. [1]',
    daysAgo: 3,
  },
  {
    agent: 'HR assistant',
    prompt: 'Do I get a day off when I move house?',
    by: 'Sofie Lindqvist',
    query: 'moving house paid day',
    answer: 'Yes: **one paid day** when you move house, once in a calendar year. [1]',
    daysAgo: 1,
  },
  {
    agent: 'HR assistant',
    prompt: 'Put every rule of the handbook into one table.',
    by: 'Jonas Weber',
    query: 'rules',
    answer: '| Rule | Where |',
    daysAgo: 1,
  },
  {
    agent: 'HR assistant',
    prompt: 'Can I work from Portugal for three weeks in summer?',
    by: 'David Okafor',
    query: 'remote work from another country',
    answer:
      'Three weeks are more than ten days, so you need **the consent of People & Culture** first. [1] Without it, up to ten days are fine. [1]',
    daysAgo: 0,
  },
]

export const shownPrompt = 'My child is due in May. How much parental leave do I get, and what is paid?'

export type Company = {
  app: TestApp
  agents: Record<string, string>
  collections: Record<string, string>
  /** Runs by their prompt. */
  runs: Record<string, { id: string; conversationId: string }>
  /** The run of `shownPrompt`, once more. */
  rerunId: string
  teamId: string
  documentId: string
  /** Where a rule stands in the text of that document, as the address names it. */
  passage: string
  webhookId: string
  deliveryId: string
  close(): Promise<void>
}

/** The server's clock is set back while the past is written, and is right again at the end. */
export async function startCompany(consoleFolder: string): Promise<Company> {
  let daysBack = 30
  const modelServer = await startModelServer(request => behaviourOf(request))
  const folder = await mkdtemp(join(tmpdir(), 'atrium-pictures-'))
  const prices = join(folder, 'prices.json')
  await writeFile(
    prices,
    JSON.stringify({ [model]: { inputUsdPerMillionTokens: 0.75, outputUsdPerMillionTokens: 4.5 } }),
  )
  const app = await startTestApp({
    settings: {
      OPENAI_BASE_URL: modelServer.baseUrl,
      OPENAI_API_KEY: 'sk-pictures',
      ATRIUM_MODEL_PRICES: prices,
      ATRIUM_ANONYMOUS_RATE: '100000',
    },
    clock: () => Date.now() - daysBack * dayMs,
    adapt: dependencies => ({
      ...dependencies,
      consoleFolder,
      // No request leaves this machine: what the company's own server would answer to a webhook is said here.
      safeFetch: async () =>
        new Response('{"received":true}', { headers: { 'content-type': 'application/json' } }),
    }),
  })
  const post: Post = async (path, body, key) => {
    const reply = await app.request('POST', path, { body, key })
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }
  const { memberIds, userIds } = await nameThePeople(app)
  const teamIds: Record<string, string> = {}
  for (const [name, description] of Object.entries(teams)) {
    teamIds[name] = (await post('/workspace/teams', { name, description })).id
  }
  for (const { name, team } of people) {
    await app.request('PUT', `/workspace/teams/${teamIds[team]}/members/${memberIds[name]}`)
  }
  await post('/workspace/members', { name: 'SharePoint sync', role: 'member' })
  const webhook = await post('/webhooks', {
    url: 'https://intranet.halvorsen-foods.example/hooks/atrium',
    description: 'Tells the intranet when a document can be found',
    eventTypes: ['document.ready', 'document.failed', 'run.failed'],
  })

  daysBack = 21
  const { collections, documentId, passage, oldId } = await fillTheKnowledge(app, post, teamIds)

  daysBack = 16
  const agents = await makeAgents(app, collections)
  await connectPrograms(post)

  const runs: Company['runs'] = {}
  for (daysBack = 29; daysBack >= 0; daysBack--) {
    for (let request = 0; request < 12 + ((daysBack * 7) % 23); request++) await app.request('GET', '/agents')
    for (const { agent, prompt, by, endUserId } of questions.filter(({ daysAgo }) => daysAgo === daysBack)) {
      const { token } = await signIn(app, userIds[by] ?? '')
      runs[prompt] = await post(`/agents/${agents[agent]}/run`, { prompt, endUserId }, await token())
    }
    await app.app.services.requestMeter.flush()
    if (daysBack === 4) await app.request('DELETE', `/knowledge/documents/${oldId}`)
    if (daysBack === 2) await improve(app, agents['HR assistant'] ?? '')
  }
  daysBack = 0
  const again = await post(`/runs/${runs[shownPrompt]?.id}/rerun`, { revision: 'latest' })
  await untilEnded(app, again.id)
  for (const { id } of Object.values(runs).slice(0, 3)) {
    await app.request('POST', `/runs/${id}/feedback`, { body: { rating: 'positive' } })
  }
  await connectServices(app, collections)
  const { id: deliveryId } = await post(`/webhooks/${webhook.id}/test`, {})
  await post('/workspace/members/invite', { email: 'ingrid.berg@halvorsen-foods.example', role: 'member' })
  await app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: 50 } })
  return {
    app,
    agents,
    collections,
    runs,
    rerunId: again.id,
    teamId: teamIds.Quality ?? '',
    documentId,
    passage,
    webhookId: webhook.id,
    deliveryId,
    async close() {
      await app.close()
      await modelServer.close()
      await rm(folder, { recursive: true })
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, the caller reads whatever it expects there.
type Post = (path: string, body: object, key?: string) => Promise<any>

/** Collections with their documents: one kept to a team, one document that failed, one that is out of date. */
async function fillTheKnowledge(app: TestApp, post: Post, teamIds: Record<string, string>) {
  const collections: Record<string, string> = {}
  let documentId = ''
  for (const [name, files] of Object.entries(documents)) {
    const { id } = await post('/knowledge/collections', { name, description: descriptions[name] })
    collections[name] = id
    for (const [file, content] of Object.entries(files)) {
      const put = await putAndWait(app, {
        collectionId: id,
        externalId: file,
        name: file,
        content: content === leavePolicy ? content : content + historyOf(file),
      })
      if (file === 'handbook/leave-and-holidays.md') documentId = put.id
    }
  }
  const [handbook, contracts] = [
    collections['Employee handbook'] ?? '',
    collections['Supplier contracts'] ?? '',
  ]
  await app.request('PATCH', `/knowledge/documents/${documentId}`, {
    body: { metadata: { department: 'People & Culture', valid_from: '2026-01-01', reviewed: true } },
  })
  await app.request('PATCH', `/knowledge/collections/${contracts}`, {
    body: { access: 'teams', teamIds: [teamIds.Quality] },
  })
  const old = await uploadAndWait(app, {
    collectionId: handbook,
    name: 'handbook/christmas-party-2025.md',
    content: '# Christmas party 2025\n\nIt is on 12 December, in the canteen in Lund.',
  })
  await uploadAndWait(app, { collectionId: handbook, name: 'scan-of-signed-policy.txt', content: '  ' })
  const { body } = await app.request('GET', `/knowledge/documents/${documentId}/content`)
  const from = body.data.text.indexOf('Up to five unused days')
  const to = body.data.text.indexOf('following year.', from) + 'following year.'.length
  return { collections, documentId, passage: `from=${from}&to=${to}`, oldId: old.id as string }
}

/** What uses the workspace besides people. */
async function connectPrograms(post: Post): Promise<void> {
  await post('/webhooks', {
    url: 'https://api.ticketing.example/v2/atrium',
    description: 'Customer service tickets',
  })
  for (const name of ['Intranet chat', 'Nightly product import', 'Ticketing drafts']) {
    await post('/api-keys', {
      name,
      environment: 'live',
      permissions: ['agents:read', 'agents:run', 'knowledge:read'],
    })
  }
}

/** The workspace and its first owner are given names; the others join. Returns ids by name. */
async function nameThePeople(app: TestApp) {
  const { database, clock, newId } = app.dependencies
  const emailOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@halvorsen-foods.example`
  const memberIds: Record<string, string> = {}
  const userIds: Record<string, string> = {}
  await database.write(async tx => {
    await tx
      .updateTable('workspaces')
      .set({ name: 'Halvorsen Foods', slug: 'halvorsen-foods' })
      .where('id', '=', app.workspaceId)
      .execute()
    const owner = { name: 'Maren Halvorsen', email: emailOf('Maren Halvorsen') }
    await tx.updateTable('users').set(owner).where('id', '=', app.ownerId).execute()
    await tx.updateTable('api_keys').set({ name: 'Deployment' }).where('id', '=', app.liveKey.id).execute()
    await tx.updateTable('api_keys').set({ name: 'Developers' }).where('id', '=', app.testKey.id).execute()
    for (const { name, role } of people) {
      const user = await app.app.services.identity.create(tx, {
        email: emailOf(name),
        name,
        emailVerified: true,
      })
      userIds[name] = user.id
      memberIds[name] = newId('member')
      const member = {
        id: memberIds[name],
        workspace_id: app.workspaceId,
        user_id: user.id,
        role,
        kind: 'person' as const,
      }
      await tx
        .insertInto('members')
        .values({ ...member, joined_at: clock(), revision: 1 })
        .execute()
    }
  })
  return { memberIds, userIds }
}

async function makeAgents(
  app: TestApp,
  collections: Record<string, string>,
): Promise<Record<string, string>> {
  const common = { model, tools: ['search_knowledge'] }
  const made = [
    {
      ...common,
      name: 'HR assistant',
      description:
        'Answers questions about leave, travel and working from home, with the place where it is written.',
      instructions:
        'You answer questions of employees of Halvorsen Foods from the employee handbook.\nBe brief and friendly. Cite the passage for every rule. If the handbook does not say it, name People & Culture.\nAnswer in {{language}}.',
      variables: { language: 'English' },
      collectionIds: [collections['Employee handbook']],
      limits: { maxSteps: 6, maxCostUsd: 0.05 },
    },
    {
      ...common,
      name: 'Quality advisor',
      description: 'Knows the quality manual and the product specifications.',
      instructions: 'You help the shift leaders. Quote limits and times exactly as the manual gives them.',
      collectionIds: [collections['Quality manual'], collections['Product specifications']],
    },
    {
      ...common,
      name: 'Customer service drafts',
      description: 'Drafts replies to customers; a person reads each before it is sent.',
      instructions: 'Draft a reply in the tone of our brand. Never promise a refund.',
      tools: ['search_knowledge', 'http_request'],
      approvalTools: ['http_request'],
      httpHosts: ['api.ticketing.example'],
      collectionIds: [collections['Product specifications']],
    },
    {
      ...common,
      name: 'Contract reader',
      description: 'Finds notice periods and prices in contracts.',
      status: 'paused',
    },
  ]
  const ids: Record<string, string> = {}
  for (const body of made) ids[body.name] = (await createAgentIn(app, body)).id
  return ids
}

/** As if their owners had connected them: no service is called for a picture. */
async function connectServices(app: TestApp, collections: Record<string, string>): Promise<void> {
  const { database, newId } = app.dependencies
  const hourMs = dayMs / 24
  const services = [
    { integration: 'google_drive', name: 'Quality manual on Drive', to: 'Quality manual', hours: 3 },
    { integration: 'github', name: 'Machine manuals', to: 'Machine manuals', hours: 9 },
    { integration: 'website', name: 'halvorsen-foods.example', to: 'Product specifications', hours: 20 },
  ]
  await database.write(tx =>
    tx
      .insertInto('connections')
      .values(
        services.map(({ integration, name, to, hours }, index) => ({
          id: newId('connection'),
          workspace_id: app.workspaceId,
          environment: 'live',
          integration_id: integration,
          name,
          status: 'active',
          config: '{}',
          account: null,
          scopes: '[]',
          created_by: app.ownerId,
          created_at: Date.now() - (20 - index) * dayMs,
          updated_at: Date.now(),
          revision: 1,
          last_sync_at: Date.now() - hours * hourMs,
          sync_collection_id: collections[to],
        })),
      )
      .execute(),
  )
  await database.write(async tx => {
    await tx
      .updateTable('members')
      .set({ last_active_at: Date.now() - 5 * hourMs })
      .where('last_active_at', 'is', null)
      .where('kind', '=', 'person')
      .execute()
    await tx
      .updateTable('api_keys')
      .set({ last_used_at: Date.now() - 2 * hourMs })
      .where('last_used_at', 'is', null)
      .execute()
    await tx
      .updateTable('sessions')
      .set({
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        ip_address: '10.20.4.17',
      })
      .execute()
  })
}

async function untilEnded(app: TestApp, runId: string): Promise<void> {
  await eventually('the run has ended', async () => {
    const { body } = await app.request('GET', `/runs/${runId}`)
    return body.data.finishedAt !== null
  })
}

/** Two more revisions, the last one kept as a draft. */
async function improve(app: TestApp, agentId: string): Promise<void> {
  const { body } = await app.request('GET', `/agents/${agentId}`)
  const { instructions } = body.data
  await app.request('PATCH', `/agents/${agentId}`, {
    body: { instructions: `${instructions}\nNever give legal advice.`, fallbackModel: 'openai/gpt-5.4-nano' },
  })
  await app.request('PATCH', `/agents/${agentId}`, {
    body: {
      instructions: `${instructions}\nNever give legal advice. Point to the works council instead.`,
      publish: false,
    },
  })
}

/** A search for what the question needs, then the answer from what it has found. */
function behaviourOf({ messages }: CompletionRequest): ModelBehaviour {
  const said = messages.map(({ content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
  const question = questions.findLast(({ prompt }) => said.some(text => text.includes(prompt)))
  const hasSearched = messages.at(-1)?.role === 'tool'
  const behaviour: ModelBehaviour = hasSearched
    ? {
        kind: 'answer',
        text: question?.answer ?? 'The documents do not say it.',
        // A table of everything is longer than an answer may be.
        finishReason: question?.answer.startsWith('|') === true ? 'length' : 'stop',
      }
    : {
        kind: 'tool_calls',
        calls: [{ name: 'search_knowledge', arguments: { query: question?.query ?? 'rules' } }],
      }
  return { kind: 'slow', delayMs: hasSearched ? 1_400 : 600, behaviour }
}
