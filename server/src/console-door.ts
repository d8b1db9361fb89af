/** What stands behind the console's own addresses, made from the features that know people and their workspaces. */

import { singleSignOnId } from './features/identity/better-auth.ts'
import { singleSignOnOf } from './features/identity/feature.ts'
import { NewWorkspace, TokenRequest } from './features/persons/schemas.ts'
import { createPersonService } from './features/persons/service.ts'
import type { Services } from './features.ts'
import type { ConsoleDoor } from './http/pages/console-door.ts'
import type { Dependencies } from './start/dependencies.ts'
import { furnishWorkspace } from './start/furnish.ts'

export function createConsoleDoor(services: Services, dependencies: Dependencies): ConsoleDoor {
  const { settings, mailer } = dependencies
  const persons = createPersonService({
    ...dependencies,
    ...services,
    newWorkspacePlan: settings.newWorkspacePlan,
    maxOwned: settings.ownedWorkspaces,
    furnish: owner => furnishWorkspace(services, dependencies, owner),
  })
  return {
    findSession: services.sessions.find,
    async entrance() {
      const singleSignOn = singleSignOnOf(settings)
      return {
        setupRequired: await services.setup.isRequired(),
        signUpOpen: settings.signUp === 'open',
        mailConfigured: mailer.available,
        singleSignOn: singleSignOn === null ? [] : [{ id: singleSignOnId, name: singleSignOn.name }],
      }
    },
    show: persons.show,
    issueToken: { body: TokenRequest, handle: persons.issueToken },
    createWorkspace: { body: NewWorkspace, handle: persons.createWorkspace },
    restoreWorkspace: persons.restoreWorkspace,
  }
}
