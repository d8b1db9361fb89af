/** Google Drive, read only. */
import type { Connector } from '../connector.ts'
import { api, isRateLimited } from './drive-api.ts'
import { configSchema, type DriveConfig } from './settings.ts'
import { source } from './source.ts'
import { tools } from './tools.ts'

export const googleDrive: Connector<DriveConfig> = {
  id: 'google-drive',
  name: 'Google Drive',
  description: 'Files of a Google account and of its shared drives, Google documents among them; read only.',
  category: 'files',
  documentationUrl: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  auth: [
    {
      kind: 'oauth2',
      issuer: 'https://accounts.google.com',
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      clientAuthentication: 'post',
      scopes: ['https://www.googleapis.com/auth/drive.readonly'],
      // Google gives a refresh token only for `offline`, and at a second authorization only after a new consent.
      authorizationParameters: { access_type: 'offline', prompt: 'consent' },
      revocation: { kind: 'rfc7009', url: 'https://oauth2.googleapis.com/revoke' },
      quirks: {},
    },
  ],
  configSchema,
  origins: () => [api],
  check: async ({ http }) => {
    const { user } = await http.json<{ user: { permissionId: string; emailAddress: string } }>(
      `${api}/drive/v3/about`,
      { query: { fields: 'user' }, isRateLimited },
    )
    return { id: user.permissionId, name: user.emailAddress }
  },
  source,
  tools,
}
