/**
 * OAuth for the clients of `/mcp` and for the command line: apps, the grants that people give them, and their tokens.
 */
import type { Feature } from '../../http/feature.ts'
import type { OAuthEndpoints, OAuthReply } from '../../http/pages/oauth.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour } from '../../platform/schedules/schedules.ts'
import type { GrantKeys } from '../api-keys/grants-service.ts'
import type { ApiKeyService } from '../api-keys/service.ts'
import type { Callers } from '../authentication/callers-service.ts'
import { createAttempts } from './attempts.ts'
import { createClients } from './clients.ts'
import { type ConsentService, createConsentService } from './consent-service.ts'
import { createDeviceService, type DeviceService } from './devices-service.ts'
import { createGiving, createGrants } from './grants.ts'
import { OAuthError } from './oauth-error.ts'
import { createTokens, metadataDocuments } from './tokens-service.ts'

export type OAuthServices = { consents: ConsentService; devices: DeviceService; oauth: OAuthEndpoints }

export function createOAuthFeature(
  platform: Platform,
  earlier: { apiKeys: ApiKeyService; grantKeys: GrantKeys; callers: Callers },
): Feature<OAuthServices> {
  const { publicUrl, counters } = platform
  /** The only resource that tokens are for, under the address in its metadata. */
  const resource = (): string => `${publicUrl()}/mcp`
  const attempts = createAttempts(counters.counters)
  const clients = createClients({ ...platform, attempts })
  const giving = createGiving({ ...platform, ...earlier })
  const grants = createGrants({ ...platform, ...earlier })
  const shared = { ...platform, ...earlier, attempts, clients, giving, grants, resource }
  const devices = createDeviceService(shared)
  const tokens = createTokens({ ...shared, poll: devices.poll })
  return {
    services: {
      consents: createConsentService(shared),
      devices,
      oauth: {
        documents: metadataDocuments(publicUrl, resource),
        token: (form, request) => answer(200, () => tokens.token(form, request)),
        revoke: (form, request) => answer(200, () => tokens.revoke(form, request)),
        device: (form, request) => answer(200, () => devices.begin(form, request)),
        register: (body, { address }) => answer(201, () => clients.register(body, address)),
      },
    },
    schedules: [
      eachHour('remove ended tokens and codes of apps', tokens.tidy),
      eachHour('remove apps that were not connected', clients.tidy),
    ],
  }
}

async function answer(status: number, work: () => Promise<object | undefined>): Promise<OAuthReply> {
  try {
    return { status, body: (await work()) ?? {}, isFailure: false }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { code, message, isFailure } = error
    return { status: 400, body: { error: code, error_description: message }, isFailure }
  }
}
