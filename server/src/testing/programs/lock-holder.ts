/** Holds the lock of a data folder, as a server does, until it is killed or told to release it. */
import { once } from 'node:events'
import { lockDataFolder } from '../../platform/database/server-lock.ts'

const lock = lockDataFolder(JSON.parse(process.argv[2] ?? '').folder)
console.log('locked')
await once(process.stdin, 'data')
lock.release()
console.log('released')
process.stdin.destroy()
