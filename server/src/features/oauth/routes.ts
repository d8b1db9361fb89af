/** The routes of the pages about apps, outside the API: the session's cookie opens them. */
import { type BrowserRequest, type BrowserRoute, defineBrowserRoute } from '../../http/pages/browser-route.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { ConsentService } from './consent-service.ts'
import type { DeviceService } from './devices-service.ts'
import type { Decider } from './grants.ts'
import { AppDecision, AppQuestion, DeviceDecision, DeviceQuestion, GrantChoice } from './schemas.ts'

// Even questions are POSTs, so that only our own pages can send them: reading a request may fetch a document.
export const consentRoutes = ({
  consents,
  devices,
}: {
  consents: ConsentService
  devices: DeviceService
}): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'POST',
    path: '/console/apps/ask',
    session: 'required',
    body: AppQuestion,
    handle: async ({ body, ...request }) => ({ data: await consents.ask(deciderOf(request), body.query) }),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/apps/decide',
    session: 'required',
    body: AppDecision,
    handle: async ({ body, ...request }) => ({ data: await consents.decide(deciderOf(request), body) }),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/devices/ask',
    session: 'required',
    body: DeviceQuestion,
    handle: async ({ body, ...request }) => ({
      data: await devices.ask(deciderOf(request), body.userCode),
    }),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/devices/decide',
    session: 'required',
    body: DeviceDecision,
    async handle({ body, ...request }) {
      await devices.decide(deciderOf(request), body)
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'GET',
    path: '/console/apps',
    session: 'required',
    handle: async request => ({ data: await consents.list(deciderOf(request)) }),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/apps/disconnect',
    session: 'required',
    body: GrantChoice,
    async handle({ body, ...request }) {
      await consents.disconnect(deciderOf(request), body.id)
      return {}
    },
  }),
]

function deciderOf({
  session,
  requestId,
  address,
}: Pick<BrowserRequest<never>, 'session' | 'requestId' | 'address'>): Decider {
  if (session === null) throw new ServiceError('sign_in_required')
  return { sessionId: session.sessionId, userId: session.userId, requestId, address }
}
