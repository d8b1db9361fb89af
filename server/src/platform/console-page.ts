/** Addresses of the console's pages, for messages that lead people to a record. */
import type { Environment } from './caller.ts'

/** The console opens in live. The address of a sandbox record says so, or its page would not find the record. */
export const consolePage = (publicUrl: string, environment: Environment, path: string): string => {
  const page = new URL(publicUrl + path)
  if (environment === 'test') page.searchParams.set('environment', environment)
  return page.href
}
