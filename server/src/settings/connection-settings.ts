/** What connections may cost: how many there are, how long a request takes to arrive, and how often a stranger may ask. */
import { setting } from './setting.ts'
import { seconds, wholeNumber } from './values.ts'

export const connectionSettings = {
  maxConnections: setting(
    'ATRIUM_MAX_CONNECTIONS',
    wholeNumber(10, 1_000_000),
    4_000,
    'Connections that this process holds open at once; more are closed at once.',
  ),
  maxConnectionsPerAddress: setting(
    'ATRIUM_MAX_CONNECTIONS_PER_ADDRESS',
    wholeNumber(1, 1_000_000),
    500,
    'Connections that one address may hold open at once; this machine and trusted proxies may hold more.',
  ),
  maxBodyMemoryMb: setting(
    'ATRIUM_BODY_MEMORY_MB',
    wholeNumber(16, 1_000_000),
    192,
    'What the JSON bodies of all requests under way may come to in this process, in MiB; those up to 16 KiB always pass.',
  ),
  maxBodyMemoryPerWorkspaceMb: setting(
    'ATRIUM_BODY_MEMORY_PER_WORKSPACE_MB',
    wholeNumber(16, 1_000_000),
    48,
    'The same for one workspace, or for one address where no key is needed.',
  ),
  requestTimeoutMs: setting(
    'ATRIUM_REQUEST_TIMEOUT_SECONDS',
    seconds(5, 86_400),
    900_000,
    'Longest time that a request may take to arrive, in seconds; it must bring 30,000 bytes in every 30 seconds.',
  ),
  anonymousRate: setting(
    'ATRIUM_ANONYMOUS_RATE',
    wholeNumber(1, 10_000_000),
    60,
    'Requests a minute without a valid key, by address.',
  ),
  visitorRate: setting(
    'ATRIUM_VISITOR_RATE',
    wholeNumber(1, 10_000_000),
    3_000,
    'Requests a minute beside the API, by address: pages, their files, /docs, /healthz and /readyz.',
  ),
} as const
