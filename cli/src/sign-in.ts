/** `login`, `logout` and `whoami`. A person confirms a code in any browser, so it works over SSH too. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Atrium } from '@atrium/sdk'
import { clientId, isPassing, postForm, profileOf, type Tokens } from './connect.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

/** What RFC 8628 calls a device authorization response. */
type Device = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

export async function login({ terminal, store, options, env, stdin, signal }: Context): Promise<void> {
  const { name, profile } = await store.find(options.profile)
  const url = originOf(options.url ?? env.ATRIUM_URL ?? profile?.url ?? 'http://127.0.0.1:8787')
  if (options['with-key'] === true) {
    const apiKey = (await stdin()).trim()
    const me = await new Atrium({ baseUrl: url, apiKey }).me()
    await store.save(name, { url, apiKey }, { isCurrent: true })
    terminal.note(`The key works in the ${me.environment} environment of ${me.workspace?.name}.`)
    return terminal.value({ profile: name, url })
  }
  const asked = await postForm<Device>(new URL('/oauth/device', url), { client_id: clientId })
  if (!asked.ok)
    throw new Failure(`${url} gives no codes: ${asked.body.error_description ?? 'is it an Atrium?'}`)
  const { device_code, user_code, verification_uri, verification_uri_complete, interval, expires_in } =
    asked.body
  terminal.value({
    verificationUrl: verification_uri_complete,
    userCode: user_code,
    expiresInSeconds: expires_in,
  })
  terminal.note(
    `Open ${verification_uri} in a browser and enter the code\n\n    ${user_code}\n\nor follow ${verification_uri_complete}`,
  )
  const tokens = await waitForTokens(url, device_code, { interval, expires_in, signal })
  await store.save(name, profileOf(url, tokens), { isCurrent: true })
  const me = await new Atrium({ baseUrl: url, apiKey: async () => tokens.access_token }).me()
  terminal.note(`You are signed in to the ${me.environment} environment of ${me.workspace?.name}.`)
  terminal.value({ profile: name, url })
}

async function waitForTokens(
  url: string,
  deviceCode: string,
  { interval, expires_in, signal }: { interval: number; expires_in: number; signal: AbortSignal },
): Promise<Tokens> {
  let pauseMs = interval * 1_000
  for (const until = Date.now() + expires_in * 1_000; Date.now() < until; ) {
    await sleep(pauseMs, undefined, { signal })
    const { ok, body } = await postForm<Tokens>(new URL('/oauth/token', url), {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: clientId,
      device_code: deviceCode,
    })
    if (ok) return body
    if (body.error === 'slow_down' || isPassing(body)) pauseMs += 5_000
    else if (body.error !== 'authorization_pending') {
      throw new Failure(body.error_description ?? 'The sign-in was refused', 'signIn')
    }
  }
  throw new Failure('The code has expired. Begin again with `atrium login`.', 'signIn')
}

/** The tokens end at the server as well; a key goes on to work. */
export async function logout({ terminal, store, options }: Context): Promise<void> {
  const { name, profile } = await store.find(options.profile)
  if (profile === undefined) throw new Failure(`There is no profile “${name}”.`, 'usage')
  if (profile.refreshToken !== undefined) {
    await postForm<object>(new URL('/oauth/revoke', profile.url), {
      client_id: clientId,
      token: profile.refreshToken,
    })
  }
  await store.remove(name)
  terminal.note(`The profile “${name}” is gone from ${store.file}.`)
  terminal.value({ profile: name })
}

export async function whoAmI({ terminal, atrium }: Context): Promise<void> {
  const me = await (await atrium()).me()
  terminal.value(me)
  terminal.line(`${me.workspace?.name}, ${me.environment} environment, as ${me.role}`)
  terminal.line(`may: ${me.permissions.join(', ')}`)
}

function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw new Failure(`--url must be an address such as https://atrium.example.com, not “${url}”`, 'usage')
}
