/** Google Drive, read only. */
import Type from 'typebox'
import type { Manifest } from '../../manifest.ts'

export const googleDrive: Manifest = {
  id: 'google-drive',
  name: 'Google Drive',
  description: 'Files of a Google account and of the shared drives that it can see, read only.',
  category: 'files',
  documentationUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  auth: {
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
  configSchema: Type.Object({}, { additionalProperties: false }),
  capabilities: [],
  probe: {
    request: () => ({ url: 'https://www.googleapis.com/drive/v3/about?fields=user' }),
    blamedField: null,
    account: { from: 'reply', idPath: 'user.permissionId', namePath: 'user.emailAddress' },
  },
}
