/**
 * The page `/embed/:agentId`. Its token comes with the address behind `#token=`, which no server sees, or from the page
 * that frames it, and from no other page. Else, or if the address says `public`, the agent's public chat gives one.
 */
import type { AtriumChat } from './atrium-chat.ts'

const chat = document.querySelector('atrium-chat') as AtriumChat
const query = new URLSearchParams(location.search)
// One of those that the agent's record names.
const parentOrigin = chat.getAttribute('parent-origin')
const given = new URLSearchParams(location.hash.slice(1)).get('token')
history.replaceState(null, '', location.pathname + location.search)

const waitMs = 10_000

function askParent(): Promise<{ token: string; expiresAt?: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The page around this frame gave no token')), waitMs)
    const listen = ({ origin, source, data }: MessageEvent): void => {
      if (origin !== parentOrigin || source !== window.parent || data?.type !== 'atrium-token') return
      if (typeof data.token !== 'string') return
      clearTimeout(timer)
      window.removeEventListener('message', listen)
      resolve({ token: data.token, expiresAt: data.expiresAt })
    }
    window.addEventListener('message', listen)
    window.parent.postMessage({ type: 'atrium-token-wanted' }, String(parentOrigin))
  })
}

if (given !== null) chat.getToken = async () => given
else if (parentOrigin !== null && !query.has('public')) chat.getToken = askParent
