/** Other people's clients, as their registry has them, against a server of this tree: `npm run test:clients [FOLDER…]`. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../clients')
const named = process.argv.slice(2)
const folders = readdirSync(root).filter(name => existsSync(resolve(root, name, 'package.json')))
const unknown = named.filter(name => !folders.includes(name))
if (unknown.length > 0) throw new Error(`There are ${folders.join(', ')}, and no ${unknown.join(', ')}`)

for (const folder of named.length > 0 ? named : folders) {
  for (const words of [['ci', '--no-audit', '--no-fund'], ['test']]) {
    const { status } = spawnSync('npm', words, { cwd: resolve(root, folder), stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
}
