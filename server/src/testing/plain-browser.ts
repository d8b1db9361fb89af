/** A person's browser without script: follows redirects, keeps cookies, and presses the buttons of forms. */
import { type Routes, rerouted } from './peers/rerouted.ts'

export type BrowserEnd = { status: number; url: string; headers: Headers; text: string }

export type PlainBrowser = {
  /** Goes to an address and on to wherever that leads, as far as `stop`, where no server answers. */
  open(address: string): Promise<BrowserEnd>
  /** Sends the form of the page at `address` with these fields, as its own pages do; other headers can be given. */
  send(address: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<BrowserEnd>
  /** What is kept, by origin. */
  cookies: Map<string, string>
}

const maxHops = 6

export function createPlainBrowser(routes: Routes, stop: string): PlainBrowser {
  const cookies = new Map<string, string>()

  const ask = async (address: string, init: RequestInit): Promise<Response> => {
    const target = rerouted(address, routes)
    const { origin } = new URL(target)
    const cookie = cookies.get(origin)
    const headers = { ...(init.headers as Record<string, string>) }
    if (cookie !== undefined) headers.cookie = cookie
    const response = await fetch(target, { ...init, headers, redirect: 'manual' })
    const [kept] = response.headers.getSetCookie().map(line => line.split(';')[0] ?? '')
    if (kept !== undefined) cookies.set(origin, kept)
    return response
  }

  const follow = async (address: string, first: RequestInit): Promise<BrowserEnd> => {
    let url = address
    let init = first
    for (let hops = 0; hops < maxHops; hops++) {
      const response = await ask(url, init)
      const { status, headers } = response
      const location = headers.get('location')
      const text = await response.text()
      if (location === null) return { status, url, headers, text }
      url = new URL(location, url).href
      if (url.startsWith(stop)) return { status, url, headers, text }
      init = {}
    }
    throw new Error('The browser was sent around in circles')
  }

  return {
    cookies,
    open: address => follow(address, {}),
    send: (address, fields, headers = { origin: new URL(address).origin }) =>
      follow(address, { method: 'POST', body: new URLSearchParams(fields), headers }),
  }
}
