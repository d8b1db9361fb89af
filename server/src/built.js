// @ts-check
/** Which code a program runs: what was built, as long as no source has changed since, and otherwise the sources. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * True if a program may run what was built. An operator's own connectors import our sources, and share classes with them.
 * @param {NodeJS.ProcessEnv} environment
 */
export const runsBuilt = environment => (environment.ATRIUM_CONNECTORS_DIR ?? '') === '' && isBuilt()

/**
 * True if each source is the file that was built: so what runs is always what there is to read.
 * @param {string} [folder] What `vite.config.ts` has written.
 */
export function isBuilt(folder = join(import.meta.dirname, '../dist')) {
  try {
    /** @type {[string, number, number][]} */
    const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8'))
    return sources.every(([path, mtimeMs, size]) => {
      const found = statSync(join(folder, path))
      return found.mtimeMs === mtimeMs && found.size === size
    })
  } catch {
    // Nothing was built here, or a source is gone.
    return false
  }
}
