/** The OAuth clients that the operator has registered with the services. */
import type { Settings } from './config.ts'
import type { OAuthClient } from './features/integrations/oauth-result.ts'

/** By integration; both halves of a client are needed. */
export function oauthClients(settings: Settings): Record<string, OAuthClient | null> {
  const clientOf = (id: string | null, secret: string | null): OAuthClient | null =>
    id === null || secret === null ? null : { id, secret }
  return {
    github: clientOf(settings.githubClientId, settings.githubClientSecret),
    'google-drive': clientOf(settings.googleClientId, settings.googleClientSecret),
    slack: clientOf(settings.slackClientId, settings.slackClientSecret),
    notion: clientOf(settings.notionClientId, settings.notionClientSecret),
  }
}
