/** Where servers and secrets are kept: one file that only its user can read, with a profile for each server. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'

/** Either a key, or the tokens of a person who signed in. */
export type Profile = {
  url: string
  apiKey?: string
  accessToken?: string
  refreshToken?: string
  /** When the access token ends, in milliseconds since 1970. */
  expiresAt?: number
}

type Profiles = { current: string; profiles: Record<string, Profile> }

export type ProfileStore = ReturnType<typeof createProfileStore>

export function createProfileStore(env: NodeJS.ProcessEnv) {
  const folder = env.ATRIUM_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'atrium')
  const file = join(folder, 'profiles.json')

  async function read(): Promise<Profiles> {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Profiles
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} }
      throw new Failure(
        `${file} cannot be read: ${String(error)}. Correct it, or delete it and sign in again.`,
      )
    }
  }

  /** The whole file or none of it: another command may read it at this moment. */
  async function write(profiles: Profiles): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // A file that is there already could be another user's, who waits for the secrets.
    const next = `${file}.${randomUUID()}`
    const handle = await open(next, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`)
    } finally {
      await handle.close()
    }
    await rename(next, file).catch(async error => {
      await rm(next, { force: true })
      throw error
    })
  }

  return {
    file,
    read,
    async find(name: string | undefined): Promise<{ name: string; profile: Profile | undefined }> {
      const { current, profiles } = await read()
      const wanted = name ?? current
      return { name: wanted, profile: Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined }
    },
    async save(name: string, profile: Profile, { isCurrent = false } = {}): Promise<void> {
      const { current, profiles } = await read()
      await write({ current: isCurrent ? name : current, profiles: { ...profiles, [name]: profile } })
    },
    async remove(name: string): Promise<void> {
      const { current, profiles } = await read()
      const { [name]: _, ...others } = profiles
      await write({
        current: current === name ? (Object.keys(others)[0] ?? 'default') : current,
        profiles: others,
      })
    },
  }
}
