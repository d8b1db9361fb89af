/**
 * What `npm ci` does at its end, where the tools for that were installed: builds the console, the widget, the command line
 * and the server, and has Node compile the server for its first start.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

if (!existsSync(resolve(root, 'node_modules/vite'))) {
  // `npm ci --omit=dev`: the folder console/dist then comes from elsewhere, or the server has no pages for people.
  console.log('The console is not built: its tools are not installed.')
} else {
  const { status } = spawnSync(
    'npm',
    [
      'run',
      '--silent',
      'build',
      '--workspace=console',
      '--workspace=widget',
      '--workspace=cli',
      '--workspace=server',
    ],
    { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
  )
  // Node keeps what it compiles for each set of options: these must be those of `npm start`.
  spawnSync('npm', ['start', '--', '--help'], {
    cwd: root,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
