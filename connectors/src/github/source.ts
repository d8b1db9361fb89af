/** Lists GitHub's repositories one after another: first issues and pull requests, then files. */
import type { Context, Listing, Source } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { getJson, nameAfter, type Repository, repositoryNames, repositoryUrl, visibilityOf } from './api.ts'
import { fetchFile, isFile, listFiles } from './files.ts'
import { fetchIssue, listIssues } from './issues.ts'
import {
  decodePosition,
  decodeStates,
  encodePosition,
  encodeStates,
  type Position,
  type States,
} from './position.ts'
import { type Settings, wants } from './settings.ts'

// GitHub does not report which issues are deleted or transferred.
export const source: Source<Settings> = {
  removals: 'absence',
  list,
  fetch: async (context, item) =>
    isFile(item.data) ? await fetchFile(context, item.data) : await fetchIssue(context, item.data),
}

async function list(
  context: Context<Settings>,
  { since, page }: { since: string | null; page: string | null },
): Promise<Listing> {
  const before = since === null ? null : decodeStates(since)
  const startOver: Listing = { items: [], nextPage: null, startOver: true }
  if (since !== null && before === null) return startOver
  const position = page === null ? await enter(context, null, '') : decodePosition(page)
  if (position === null) return before?.size ? startOver : { items: [], nextPage: null, since: '' }
  const known = before?.get(position.here.id)
  // Every document names its readers, so a changed visibility affects all documents.
  if (known !== undefined && known.visibility !== position.here.visibility) return startOver

  const part = await (position.stage === 'issues' ? listIssues : listFiles)(context, position, known)
  if (part.isLost) return startOver
  const { items, removed, state } = part
  const next = part.next ?? (await following(context, { ...position, state }))
  if (typeof next !== 'string') return { items, removed, nextPage: encodePosition(next) }
  return isMissingSome(next, before) ? startOver : { items, removed, nextPage: null, since: next }
}

/** The next stage or repository; after the last one, the encoded states of all repositories. */
async function following(context: Context<Settings>, position: Position): Promise<Position | string> {
  const { here, stage, state } = position
  if (stage === 'issues' && wants(context.config, 'files'))
    return { here, stage: 'files', state, done: position.done }
  const done = [position.done, encodeStates(new Map([[here.id, state]]))]
    .filter(text => text !== '')
    .join(',')
  return (await enter(context, here.name, done)) ?? done
}

/** The beginning of the repository after `last`; null if there is none. */
async function enter(context: Context<Settings>, last: string | null, done: string) {
  const names = await repositoryNames(context)
  for (let name = nameAfter(names, last); name !== null; name = nameAfter(names, name)) {
    const repository = await openRepository(context, name)
    if (repository !== null) return positionAt(context, repository, done)
  }
  return null
}

/**
 * Null if the repository has gone since it was listed, or is closed to these credentials by an organisation's rules
 * or by law.
 */
async function openRepository(context: Context<Settings>, name: string): Promise<Repository | null> {
  try {
    return await getJson<Repository>(context, repositoryUrl(name))
  } catch (error) {
    const isClosed =
      error instanceof HttpFailure &&
      (error.kind === 'missing' || error.kind === 'forbidden' || error.status === unavailableForLegalReasons)
    if (!isClosed) throw error
    if (context.config.repositories === undefined) {
      context.log('A repository is left out', { name, why: error.message })
      return null
    }
    const what = `The repository ${name} does not exist, or the credentials do not reach it`
    const remedy = "take it out of the connection's config, or connect with others"
    throw new HttpFailure('missing', `${what} (${error.message}): ${remedy}`, { cause: error })
  }
}

const unavailableForLegalReasons = 451

function positionAt({ config }: Context<Settings>, repository: Repository, done: string): Position {
  const here = {
    id: repository.id,
    name: repository.full_name,
    branch: repository.default_branch,
    visibility: visibilityOf(repository),
  }
  const wantsIssues = wants(config, 'issues') || wants(config, 'pull_requests')
  return {
    here,
    stage: wantsIssues ? 'issues' : 'files',
    state: { visibility: here.visibility, updated: 0, head: '' },
    done,
  }
}

/** Whether a repository that the last sync knew is gone. */
function isMissingSome(done: string, before: States | null): boolean {
  const now = decodeStates(done)
  return [...(before?.keys() ?? [])].some(id => !now?.has(id))
}
