// @ts-check
/** Which code a program runs: what was built, as long as no source has changed since, and otherwise the sources. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * True if a program may run what was built. An operator's own connectors import our sources, and share classes with them.
 * @param {NodeJS.ProcessEnv} environment
 */
export const runsBuilt = environment => (environment.ATRIUM_CONNECTORS_DIR ?? '') === '' && isBuilt()

/**
 * True if each source is the file that was built: so what runs is always what there is to read. One that was copied has
 * another time, and is read.
 * @param {string} [folder] What `vite.config.ts` has written.
 */
export function isBuilt(folder = join(import.meta.dirname, '../dist')) {
  try {
    /** @type {[string, number, number, string][]} */
    const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8'))
    return sources.every(([path, mtimeMs, size, hash]) => {
      const source = join(folder, path)
      const found = statSync(source)
      return found.size === size && (found.mtimeMs === mtimeMs || hashOf(readFileSync(source)) === hash)
    })
  } catch {
    // Nothing was built here, or a source is gone.
    return false
  }
}

/** @param {Uint8Array} content */
export const hashOf = content => createHash('sha256').update(content).digest('base64url')
