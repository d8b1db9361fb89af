/** What a new workspace begins with: an agent that answers from knowledge, and a sandbox whose first call answers. */
import { Readable } from 'node:stream'
import { firstTemplateId } from '../features/agents/definitions/templates.ts'
import { demoCollection, readDemoDocuments } from '../features/agents/demo/demo.ts'
import type { Services } from '../features.ts'
import { type Caller, type Environment, permissions, systemCaller } from '../platform/caller.ts'
import type { Dependencies } from './dependencies.ts'

export type Furnished = {
  sandboxAgentId: string
  sandboxCollectionId: string
  documentIds: readonly string[]
}

/** Acts for the owner, as the system. The sandbox's documents are indexed like any others, by the workers. */
export async function furnishWorkspace(
  services: Services,
  dependencies: Pick<Dependencies, 'blobs' | 'newId'>,
  owner: Pick<Caller, 'plan'> & { workspaceId: string; userId: string },
): Promise<Furnished> {
  const { agents, collections, documents } = services
  const sandbox = owningCaller(dependencies, owner, 'test')
  await agents.install(owningCaller(dependencies, owner, 'live'), firstTemplateId, {})
  const agent = await agents.install(sandbox, firstTemplateId, {})
  const { name, description } = demoCollection
  const collection = await collections.create(sandbox, { name, description })
  const documentIds: string[] = []
  for (const document of await readDemoDocuments(demoCollection.documents)) {
    const received = await dependencies.blobs.receive(Readable.from([Buffer.from(document.text)]), {
      name: document.name,
      statedMediaType: 'text/markdown',
      maxBytes: 1_000_000,
    })
    const fields = { collectionId: collection.id, title: document.title }
    const patience = { waitMs: 0, signal: neverAborted }
    documentIds.push((await documents.create(sandbox, fields, received, patience)).id)
  }
  return { sandboxAgentId: agent.id, sandboxCollectionId: collection.id, documentIds }
}

const neverAborted = new AbortController().signal

/** The owner, as far as the server itself furnishes their workspace. */
export const owningCaller = (
  { newId }: Pick<Dependencies, 'newId'>,
  { workspaceId, userId, plan }: Pick<Caller, 'plan'> & { workspaceId: string; userId: string },
  environment: Environment,
): Caller => ({
  ...systemCaller({ workspaceId, environment }, newId('request'), userId),
  role: 'owner',
  permissions: new Set(permissions),
  plan,
})
