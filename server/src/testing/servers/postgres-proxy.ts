/** A wire between an app and its PostgreSQL. */
import type { TestContext } from 'node:test'
import { testPostgresUrl } from '../database.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** Starts the app behind a proxy that ends with the test. `start` creates the app's database. */
export async function startBehindProxy<App>(
  t: TestContext,
  start: (proxy: TcpProxy) => Promise<App>,
): Promise<App> {
  const url = new URL(testPostgresUrl() ?? '')
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const { ATRIUM_TEST_POSTGRES_URL: before } = process.env
  process.env.ATRIUM_TEST_POSTGRES_URL = url.href
  try {
    return await start(proxy)
  } finally {
    // Behind what `start` ends with the test: the app is closed first.
    t.after(() => proxy.close())
    if (before === undefined) delete process.env.ATRIUM_TEST_POSTGRES_URL
    else process.env.ATRIUM_TEST_POSTGRES_URL = before
  }
}
