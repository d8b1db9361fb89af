/**
 * Makes `dist/`, the package that is published: JavaScript, because Node strips no types in `node_modules`,
 * with declarations and a package.json of its own. It is compiled without Node's types, so what it uses, browsers have.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '..')
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
const compiler = join(folder, 'node_modules/typescript/bin/tsc')
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: folder,
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(1)

const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const published = {
  name,
  version,
  description: "The TypeScript client of Atrium's REST API, for Node and browsers.",
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
cpSync(join(folder, '../LICENSE'), join(dist, 'LICENSE'))
cpSync(join(folder, 'README.md'), join(dist, 'README.md'))
