/** How the console is built: one page, hashed files that are already compressed, and nothing inline, for its strict policy. */
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress-assets.ts'

const server = 'http://127.0.0.1:8787'
/** What the server answers itself while `npm run dev` serves the console's sources. */
const answeredByServer = ['/api', '/auth', '/console', '/docs', '/oauth', '/invitations']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compressAssets()],
  resolve: {
    alias: {
      // The package that Radix uses writes a style element into the page, which the policy forbids.
      'react-remove-scroll': join(import.meta.dirname, 'src/ui/remove-scroll.tsx'),
    },
  },
  build: {
    target: 'baseline-widely-available',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A data: address would have to be allowed by the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
  },
  server: {
    // The server takes changes from its own pages only, so what passes here goes on as theirs.
    proxy: Object.fromEntries(
      answeredByServer.map(path => [path, { target: server, headers: { origin: server } }]),
    ),
  },
})
