/** The door for programs that run a connector themselves, without the server: tried once, or kept in sync over the SDK. */

export { runConnector } from './outside/run-connector.ts'
export { openRunState, RunStateError } from './outside/run-state.ts'
export { type RunCounts, RunError, type RunOutcome } from './outside/sdk-destination.ts'
export { type Finding, tryConnector, tryTool } from './outside/try-connector.ts'
export { SourceFault as ListingError } from './syncing/source-fault.ts'
