// @ts-check
/**
 * Finds the Node that runs Atrium and prints what goes before PATH for it: the folder of the one that `npm ci` brings, or
 * nothing where the running one is used. Node 18 can run this file too, so each Node can say what is missing.
 */
const { existsSync, readFileSync } = require('node:fs')
const { delimiter, join } = require('node:path')

/** The first one in which neither SQLite nor TypeScript is an experiment: an older one fails, or warns at each command. */
const oldest = '24.15'
const modules = join(__dirname, '../node_modules')
const platform = `${process.platform}-${process.arch}`
/** What Linux starts a program of the packages with. Alpine and NixOS lack it. */
const loaders = { 'linux-x64': '/lib64/ld-linux-x86-64.so.2', 'linux-arm64': '/lib/ld-linux-aarch64.so.1' }

const found = findNode()
if (found.kind === 'none') {
  console.error(`atrium: ${found.reason}`)
  process.exitCode = 1
} else if (found.kind === 'brought') process.stdout.write(found.folder + delimiter)

/** @returns {{ kind: 'brought', folder: string } | { kind: 'running' } | { kind: 'none', reason: string }} */
function findNode() {
  // npm writes it last.
  if (!existsSync(join(modules, '.package-lock.json')))
    return { kind: 'none', reason: 'Its dependencies are not installed, or only in part. Run: npm ci' }
  const brought = [`node-${platform}`, `node-bin-${platform}`]
    .map(name => join(modules, name))
    .find(folder => existsSync(join(folder, 'bin/node')))
  const loader = loaders[/** @type {keyof typeof loaders} */ (platform)]
  const canStart = loader === undefined || existsSync(loader)
  if (brought !== undefined && canStart && isNewEnough(versionOf(brought)))
    return { kind: 'brought', folder: join(brought, 'bin') }
  if (isNewEnough(process.versions.node)) return { kind: 'running' }
  const cause = canStart
    ? `node_modules has no Node for ${platform}`
    : 'the Node in node_modules needs glibc, which this machine lacks'
  const remedy = canStart ? ', or run npm ci here, without --omit=optional' : ''
  const reason = `Node ${process.versions.node} is too old, and ${cause}. Install Node ${oldest} or later${remedy}.`
  return { kind: 'none', reason }
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/** @param {string} folder */
function versionOf(folder) {
  return String(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
}
