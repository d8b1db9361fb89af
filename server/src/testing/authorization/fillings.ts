/** What a request needs besides the example of its operation: ids, files, headers, and another object than the usual one. */
import { toolNameFor } from '../../features/integrations/records/tool-definitions.ts'
import { hourMs } from '../../platform/clock.ts'
import type { RequestOptions } from '../test-app.ts'
import { type Area, type Slot, uploadHeaders } from './area.ts'

export type Filled = Pick<RequestOptions, 'body' | 'headers' | 'query' | 'form'> & {
  /** What `{id}` stands for, where it is not the usual object of the path. */
  target?: Slot
}

const fileForm = (fields: Record<string, string> = {}, file: Blob = new Blob(['A text.'])): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file, 'file.txt')
  return form
}

const entry = (externalId: string) => ({ externalId, sha256: 'ab'.repeat(32) })
/** Some names have to be unique in their workspace. */
const nameIn = ({ name }: Area): string => `made-in-${name}`
const anHourAgo = (): string => new Date(Date.now() - hourMs).toISOString()

export const fillings: Record<string, (area: Area, outside: string) => Filled> = {
  createAgent: ({ ids }) => ({
    body: {
      name: 'Made',
      collectionIds: [ids.collection],
      agentIds: [ids.agent],
      connectionIds: [ids.connection],
    },
  }),
  updateAgent: ({ ids }) => ({
    body: { instructions: 'Be brief.', collectionIds: [ids.collection], connectionIds: [ids.connection] },
  }),
  publishAgent: () => ({ body: { revision: 1 } }),
  runAgent: ({ ids }) => ({
    body: { prompt: 'Hello', conversationId: ids.conversation, attachments: [ids.document] },
  }),
  createOpenAiChatCompletion: ({ ids }) => ({
    body: { model: ids.agent, messages: [{ role: 'user', content: 'Hello' }] },
  }),
  createOpenAiCompletion: ({ ids }) => ({ body: { model: ids.agent, prompt: 'Hello' } }),
  createOpenAiResponse: ({ ids }) => ({ body: { model: ids.agent, input: 'Hello', background: true } }),
  createOpenAiConversation: () => ({ body: { items: [{ role: 'user', content: 'Hello' }] } }),
  updateOpenAiConversation: () => ({ body: { metadata: { topic: 'other' } } }),
  createOpenAiConversationItems: () => ({ body: { items: [{ role: 'user', content: 'Hello' }] } }),
  createOpenAiEmbeddings: () => ({ body: { model: 'test-embedding', input: ['Hello'] } }),
  createOpenAiFile: ({ ids }) => ({ form: fileForm({ vector_store_id: ids.collection }) }),
  createOpenAiVectorStore: ({ ids }) => ({ body: { name: 'Made', file_ids: [ids.document] } }),
  updateOpenAiVectorStore: () => ({ body: { name: 'Renamed' } }),
  searchOpenAiVectorStore: () => ({ body: { query: 'text' } }),
  createOpenAiVectorStoreFile: ({ ids }) => ({ body: { file_id: ids.document } }),
  updateOpenAiVectorStoreFile: () => ({ body: { attributes: { year: 2026 } } }),
  createOpenAiFileBatch: ({ ids }) => ({ body: { file_ids: [ids.document] } }),
  decideRun: () => ({ target: 'waitingRun' }),
  sendToolResults: () => ({
    target: 'waitingRun',
    body: { results: [{ toolCallId: 'call_2', output: 'shipped' }] },
  }),
  createBrowserToken: ({ ids }) => ({
    body: {
      agentId: ids.agent,
      endUserId: 'ada',
      origins: ['https://example.com'],
      collectionIds: [ids.collection],
    },
  }),
  branchConversation: ({ ids }) => ({ body: { runId: ids.run } }),
  compareRuns: ({ ids }) => ({ query: { with: ids.rerun } }),
  createModelProvider: (area, outside) => ({
    body: { name: nameIn(area), kind: 'openai_compatible', baseUrl: `${outside}/v1`, apiKey: 'x' },
  }),
  // An address that answers: a test of the provider calls it.
  updateModelProvider: (_, outside) => ({ body: { baseUrl: `${outside}/v1`, apiKey: 'x' } }),
  testModelProvider: () => ({ body: { model: 'test-model' } }),
  createCollection: ({ ids }) => ({ body: { name: 'Made', access: 'teams', teamIds: [ids.team] } }),
  updateCollection: ({ ids }) => ({ body: { description: 'Ours.', access: 'teams', teamIds: [ids.team] } }),
  uploadDocument: ({ ids }) => ({ form: fileForm({ collectionId: ids.collection }) }),
  uploadDocuments: ({ ids }) => ({ form: fileForm({ collectionId: ids.collection }) }),
  putDocument: () => ({ form: fileForm() }),
  uploadDocumentFromText: ({ ids }) => ({ body: { collectionId: ids.collection, text: 'The text is.' } }),
  uploadDocumentFromUrl: ({ ids }, outside) => ({
    body: { url: `${outside}/page`, collectionId: ids.collection },
  }),
  searchKnowledge: () => ({ query: { query: 'text' } }),
  verifyCitations: ({ ids }) => ({
    body: { citations: [{ documentId: ids.document, documentVersion: 1, quote: 'The text is' }] },
  }),
  getDocumentPage: () => ({ target: 'pdf' }),
  getDocumentPageBoxes: () => ({ target: 'pdf', query: { from: 0, to: 10 } }),
  retryDocument: () => ({ target: 'failedDocument' }),
  retryDocuments: ({ ids }) => ({ body: { collectionId: ids.collection } }),
  restoreDocument: () => ({ target: 'trashedDocument' }),
  restoreCollection: () => ({ target: 'trashedCollection' }),
  getUploadCapabilities: () => ({ headers: tus }),
  createUpload: ({ ids }) => ({ headers: uploadHeaders(ids.collection, 'made') }),
  listUploads: () => ({ headers: tus }),
  getUpload: () => ({ headers: tus }),
  deleteUpload: () => ({ headers: tus }),
  appendToUpload: () => ({
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: Buffer.from('12345'),
  }),
  openSync: () => ({ target: 'spareCollection', body: { entries: [entry('made')] } }),
  addSyncEntries: () => ({ body: { entries: [entry('another')] } }),
  // The usual one is deleted by its external id.
  deleteDocument: () => ({ target: 'failedDocument' }),
  cancelSync: () => ({ target: 'otherSync' }),
  importCollection: ({ archive }) => ({
    form: fileForm({ name: 'Made' }, new Blob([new Uint8Array(archive)])),
  }),
  createWebhook: (area, outside) => ({ body: { url: `${outside}/${nameIn(area)}` } }),
  putWebhook: (area, outside) => ({ body: { url: `${outside}/put/${nameIn(area)}` } }),
  replayWebhook: () => ({ body: { createdAfter: anHourAgo() } }),
  connectIntegration: () => ({ body: { integrationId: 'scripted' } }),
  reconnectIntegration: () => ({ body: {} }),
  updateIntegration: ({ ids }) => ({ body: { sync: { collectionId: ids.collection } } }),
  updateIntegrationTools: ({ ids }) => ({
    body: { tools: [{ name: toolNameFor(ids.connection, 'sandbox_read'), accept: null }] },
  }),
  deleteWorkspace: ({ slug }) => ({ body: { confirm: slug } }),
  transferWorkspace: ({ ids }) => ({ body: { memberId: ids.member } }),
  inviteMember: ({ name, ids }) => ({
    body: { email: `made.${name}@example.com`, role: 'viewer', teamIds: [ids.team] },
  }),
  acceptInvitation: ({ ids }) => ({ body: { token: ids.invitationToken, name: 'Grace Hopper' } }),
  createTeam: area => ({ body: { name: nameIn(area) } }),
  createApiKey: ({ ids }) => ({
    body: {
      name: 'Made',
      memberId: ids.serviceAccount,
      permissions: ['agents:read'],
      agentIds: [ids.agent],
      collectionIds: [ids.collection],
    },
  }),
}

const tus = { 'tus-resumable': '1.0.0' }
