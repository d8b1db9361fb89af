/** The entry point for programs that run a connector without the server: to try it once, or to sync over the SDK. */

export { runConnector } from './outside/run-connector.ts'
export { openRunState, RunStateError } from './outside/run-state.ts'
export { type RunCounts, RunError, type RunOutcome } from './outside/sdk-destination.ts'
export { type Finding, tryConnector, tryTool } from './outside/try-connector.ts'
export { SourceFault as ListingError } from './syncing/source-fault.ts'
