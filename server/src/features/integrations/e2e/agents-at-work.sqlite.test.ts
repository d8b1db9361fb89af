/** Agents that use GitHub and Slack by their connections: they look things up at once, and change them once it is approved. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { calls, says, toldBy } from '../../../testing/apps/tool-app.ts'
import { startGitHubPeer } from '../../../testing/peers/github.ts'
import { startSlackPeer } from '../../../testing/peers/slack.ts'
import { type ModelBehaviour, startModelServer } from '../../../testing/servers/model-server.ts'

async function start(t: TestContext) {
  const [github, slack] = [await startGitHubPeer(t), await startSlackPeer(t)]
  const model = await startModelServer()
  t.after(model.close)
  const { app } = await startIntegrationApp(t, {
    routes: () => ({ 'https://api.github.com': github.origin, 'https://slack.com': slack.origin }),
    settings: { OPENAI_BASE_URL: model.baseUrl },
  })
  const connect = async (integrationId: string, apiKey: string, config: object): Promise<string> => {
    const body = { integrationId, credentials: { apiKey }, config }
    const reply = await app.request('POST', '/integrations/connect', { body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.data.id
  }
  return {
    app,
    github,
    slack,
    connectionIds: [
      await connect('github', github.token, { repositories: ['octocat/Hello-World'] }),
      await connect('slack', slack.token, { channels: ['general'] }),
    ],
    script(...behaviours: ModelBehaviour[]) {
      model.requests.length = 0
      model.setScript((_, index) => behaviours[Math.min(index, behaviours.length - 1)] ?? { kind: 'never' })
    },
    /** What the model was told of the calls before its last answer. */
    told: () => [...toldBy(model.requests.at(-1)?.body ?? { model: '', messages: [] }).values()],
  }
}

test('an agent finds an issue, asks in Slack what became of it, and answers in both places once that is approved', async t => {
  const { app, github, slack, connectionIds, script, told } = await start(t)
  const issue = github.add('octocat/Hello-World').open({ title: 'The printer smokes', body: 'Since Monday.' })
  slack.add('C012AB3CD', 'general')
  const ts = slack.say('C012AB3CD', 'The printer has a new fuse.')
  const agent = await app.request('POST', '/agents', {
    body: {
      name: 'Caretaker',
      model: 'openai/test-model',
      connectionIds,
      tools: [
        ...['github_search_issues', 'github_get_issue', 'github_create_issue_comment'],
        ...['slack_search_messages', 'slack_post_message'],
      ],
    },
  })
  assert.equal(agent.status, 201, JSON.stringify(agent.body))
  const where = { repository: 'octocat/Hello-World', number: issue.number }
  script(
    calls(['github_search_issues', { query: 'printer' }], ['slack_search_messages', { query: 'printer' }]),
    calls(['github_get_issue', where]),
    calls(
      ['github_create_issue_comment', { ...where, body: 'It has a new fuse.' }],
      ['slack_post_message', { channel: 'C012AB3CD', text: 'I have told them.', threadTs: ts }],
    ),
    says('Done.'),
  )
  const begun = await app.request('POST', `/agents/${agent.body.data.id}/run`, {
    body: { prompt: 'What about the printer?' },
    headers: { prefer: 'wait=30' },
  })
  const run = begun.body.data
  assert.equal(run.status, 'waiting', JSON.stringify(run))
  assert.match(told().join('\n'), /The printer smokes[\s\S]*new fuse[\s\S]*Since Monday\./)
  assert.deepEqual([github.written, slack.posted], [[], []])

  const decisions = run.pendingApprovals.map(({ toolCallId }: { toolCallId: string }) => ({
    toolCallId,
    decision: 'approve',
  }))
  const ended = await app.request('POST', `/runs/${run.id}/approvals`, {
    body: { decisions },
    headers: { prefer: 'wait=30' },
  })
  assert.equal(ended.body.data.status, 'succeeded', JSON.stringify(ended.body))
  assert.deepEqual(github.written, [
    { path: `octocat/Hello-World/issues/${issue.number}/comments`, body: { body: 'It has a new fuse.' } },
  ])
  assert.deepEqual(slack.posted, [{ channel: 'C012AB3CD', text: 'I have told them.', thread_ts: ts }])
})

test('what the connections do not reach, an agent is told so, and the run goes on', async t => {
  const { app, github, slack, connectionIds, script, told } = await start(t)
  github.add('octo-org/secret', 'private').commit({ 'plan.md': 'The secret plan' })
  slack.add('G0PRIVATE', 'leads', { isPrivate: true })
  slack.say('G0PRIVATE', 'The secret plan')
  const agent = await app.request('POST', '/agents', {
    body: {
      name: 'Spy',
      model: 'openai/test-model',
      connectionIds,
      tools: ['github_read_file', 'slack_read_channel', 'slack_search_messages'],
    },
  })
  script(
    calls(
      ['github_read_file', { repository: 'octo-org/secret', path: 'plan.md' }],
      [
        'github_read_file',
        { repository: 'octocat/Hello-World', path: '../../octo-org/secret/contents/plan.md' },
      ],
      ['github_read_file', { repository: 'octocat/../octo-org/secret', path: 'plan.md' }],
      ['slack_read_channel', { channel: 'G0PRIVATE' }],
      ['slack_search_messages', { query: 'plan' }],
    ),
    says('Nothing.'),
  )
  const { body } = await app.request('POST', `/agents/${agent.body.data.id}/run`, {
    body: { prompt: 'Find the plan!' },
    headers: { prefer: 'wait=30' },
  })
  assert.equal(body.data.status, 'succeeded', JSON.stringify(body))
  const answers = told()
  assert.equal(answers.length, 5)
  assert.ok(!answers.join('\n').includes('secret plan'), answers.join('\n'))
  assert.match(answers[0] ?? '', /reaches octocat\/Hello-World/)
  assert.match(answers[1] ?? '', /within the repository/)
  assert.match(answers[3] ?? '', /does not belong to this connection/)
})
