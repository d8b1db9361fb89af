/** The documents by which apps find out how to get in: what `/mcp` asks for (RFC 9728), and what this server offers (RFC 8414). */
import { apiPermissions, mcpPermissions } from './authorization-request.ts'
import { deviceGrantType } from './tokens-service.ts'

/** By path. Clients look at the root and below `/mcp`, and some for OpenID Connect's document alone. */
export function metadataDocuments(
  publicUrl: () => string,
  resource: () => string,
): Record<string, () => object> {
  const protectedResource = () => ({
    resource: resource(),
    authorization_servers: [publicUrl()],
    scopes_supported: mcpPermissions,
    bearer_methods_supported: ['header'],
    resource_name: 'Atrium',
  })
  const authorizationServer = () => {
    const at = `${publicUrl()}/oauth`
    return {
      issuer: publicUrl(),
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      registration_endpoint: `${at}/register`,
      revocation_endpoint: `${at}/revoke`,
      device_authorization_endpoint: `${at}/device`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: apiPermissions,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    }
  }
  return {
    '/.well-known/oauth-protected-resource': protectedResource,
    '/.well-known/oauth-protected-resource/mcp': protectedResource,
    '/.well-known/oauth-authorization-server': authorizationServer,
    '/.well-known/openid-configuration': authorizationServer,
  }
}
