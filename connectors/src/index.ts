/** The package's entry point: the parts of a connector, and what a program needs in order to run one. */
export {
  type ApiKey,
  type Auth,
  authKinds,
  authorizationHeaders,
  type Basic,
  type Credentials,
  type OAuth,
  type Revocation,
} from './auth.ts'
export type {
  Account,
  Config,
  ConfigFault,
  Connector,
  ConnectorTool,
  Content,
  Context,
  Discovery,
  Item,
  ItemMetadata,
  Listing,
  ObjectSchema,
  OurClient,
  Remote,
  RemoteAnswer,
  RemoteSession,
  Source,
} from './connector.ts'
export { createHttp, type HttpTransport } from './create-http.ts'
export { mayBeSecret } from './headers.ts'
export { type Http, HttpFailure, type HttpFailureKind, type HttpRequest, httpFailureKinds } from './http.ts'
export { toolNameOf } from './loading/connector-faults.ts'
export { scopesWanted } from './mcp/discover.ts'
export { maxRemoteTools, RemoteRefusal } from './mcp/session.ts'
export type { FetchedContent } from './syncing/fetch-content.ts'
export {
  allItemsFailed,
  type Destination,
  followSource,
  type ItemFailure,
  needsFullListing,
} from './syncing/follow-source.ts'
export { SourceFault } from './syncing/source-fault.ts'
export { createTurns, type Turns } from './turns.ts'
