import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** A whole collection, at once. Only contexts that are made after the flag was set have the function. */
export const collectGarbage: () => void = runInNewContext('gc')
