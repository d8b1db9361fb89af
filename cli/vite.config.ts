/** How the command is built: one file for Node without dependencies. */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  ssr: { noExternal: true },
  build: {
    target: 'node20',
    ssr: 'src/main.ts',
    rolldownOptions: { output: { entryFileNames: 'atrium.js' } },
  },
})
