/**
 * The console's routes outside the API: who is signed in, a token for a workspace, new workspaces. The session's
 * cookie opens them.
 */
import { type BrowserRequest, type BrowserRoute, defineBrowserRoute } from '../../http/pages/browser-route.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { idPattern } from '../../platform/ids.ts'
import { NewWorkspace, type PersonService, TokenRequest, type Visitor } from './service.ts'

export const personRoutes = ({
  persons,
  entrance,
}: {
  persons: PersonService
  /** The facts that the sign-in page needs. */
  entrance: () => Promise<object>
}): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'GET',
    path: '/console/session',
    session: 'optional',
    async handle({ session }) {
      const shown = session === null ? { person: null, workspaces: [] } : await persons.show(session)
      return { data: { ...(await entrance()), ...shown } }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/token',
    session: 'required',
    body: TokenRequest,
    handle: async ({ body, ...request }) => ({ data: await persons.issueToken(visitorOf(request), body) }),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/workspaces',
    session: 'required',
    body: NewWorkspace,
    async handle({ body, ...request }) {
      return { status: 201, data: await persons.createWorkspace(visitorOf(request), body) }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/workspaces/:id/restore',
    session: 'required',
    async handle({ params: { id = '' }, ...request }) {
      if (!idPattern.test(id)) throw notFound()
      return { data: await persons.restoreWorkspace(visitorOf(request), id) }
    },
  }),
]

function visitorOf({
  session,
  requestId,
  address,
}: Pick<BrowserRequest<never>, 'session' | 'requestId' | 'address'>): Visitor {
  if (session === null) throw new ServiceError('sign_in_required')
  return { sessionId: session.sessionId, userId: session.userId, requestId, address }
}
