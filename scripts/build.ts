/**
 * What `npm ci` does at its end, where the tools for that were installed: builds the console, the widget, the command line
 * and the server, and has Node compile the server for its first start.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

if (!existsSync(resolve(root, 'node_modules/vite'))) {
  console.log(
    'atrium: Installed without build tools (--omit=dev or NODE_ENV=production): the server runs from its sources, and ' +
      'its console, widget and command line are missing. For all of them, run: npm ci --include=dev',
  )
} else {
  const workspaces = ['console', 'widget', 'cli', 'server'].map(name => `--workspace=${name}`)
  const { status, error } = spawnSync('npm', ['run', '--silent', 'build', ...workspaces], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error !== undefined) throw error
  // Node keeps what it compiles for each set of options: these must be those of `npm start`.
  spawnSync('npm', ['start', '--', '--help'], { cwd: root, stdio: 'ignore' })
  process.exitCode = status ?? 1
}
