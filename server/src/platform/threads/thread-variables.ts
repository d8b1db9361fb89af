/** What a thread gets of the environment: none of the server's secrets. */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** Without the code that Node has compiled before, each thread would load the compiler: 75 ms more of a processor. */
export function threadVariables(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
