/** The code of a page, fetched when a person goes there: where the server is away, it is waited for instead of losing the page. */

import { ConnectionError } from '@atrium/sdk'
import { type ComponentType, lazy } from 'react'
import { reportFailure, untilReachable } from './connection.ts'

const reloadedKey = 'atrium.reloaded-for-code'

/** A component that is loaded once; `preload` begins with it earlier. */
export function lazyPage<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  const Page = lazy(async () => ({ default: (await loadCode(load))[name] }))
  return Object.assign(Page, {
    // The person may not come after all: what failed is tried again when they do.
    preload: () =>
      load().then(
        () => undefined,
        () => undefined,
      ),
  })
}

async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    const module = await load()
    sessionStorage.removeItem(reloadedKey)
    return module
  } catch (error) {
    reportFailure(new ConnectionError('The code of this page could not be loaded', { cause: error }))
    await untilReachable()
    return load().catch(again => {
      // The server has other code by now, or the browser remembers the failure: a new page has neither problem, once.
      if (sessionStorage.getItem(reloadedKey) !== null) throw again
      sessionStorage.setItem(reloadedKey, 'true')
      window.location.reload()
      return new Promise<never>(() => undefined)
    })
  }
}
