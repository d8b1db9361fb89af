/** The door for programs that run a connector themselves, without the server: tried once, or kept in sync over the SDK. */

export { type RunCounts, type RunOutcome, runConnector } from './outside/run-connector.ts'
export { RunError } from './outside/run-error.ts'
export { openRunState, RunStateError } from './outside/run-state.ts'
export { ListingError } from './outside/take-listing.ts'
export { type Finding, tryConnector, tryTool } from './outside/try-connector.ts'
