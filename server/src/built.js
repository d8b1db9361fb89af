// @ts-check
/** Decides which code a program runs: the build, if no source has changed since, otherwise the sources. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * True if a program may run the build. An operator's own connectors import our sources and need the same classes.
 * @param {NodeJS.ProcessEnv} environment
 */
export const runsBuilt = environment => (environment.ATRIUM_CONNECTORS_DIR ?? '') === '' && isBuilt()

/**
 * True if each source is the file that was built, so that the running code always matches the sources. A copied
 * source has another time, so its content is compared.
 * @param {string} [folder] The output folder of `vite.config.ts`.
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
    // Nothing was built here, or a source is missing.
    return false
  }
}

/** @param {Uint8Array} content */
export const hashOf = content => createHash('sha256').update(content).digest('base64url')
