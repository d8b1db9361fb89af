/** Addresses of the console's pages, for people who read of a record elsewhere. */
import type { Environment } from './caller.ts'

/** The console opens in live; a record of the sandbox says so, or its page would not find it. */
export const consolePage = (publicUrl: string, environment: Environment, path: string): string => {
  const page = new URL(publicUrl + path)
  if (environment === 'test') page.searchParams.set('environment', environment)
  return page.href
}
