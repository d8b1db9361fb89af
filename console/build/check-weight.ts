/** Fails where the sign-in and the overview together load more script than they may, gzipped as a browser gets it: `check-weight.ts [built folder]`. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

const limitKb = 200
/** What a person has loaded who signs in and sees the overview. */
const starts = ['index.html', 'src/pages/sign-in.tsx', 'src/rooms/overview/overview.tsx']

type Chunk = { file: string; imports?: string[] }

const dist = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../dist'))
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(resolve(dist, 'manifest.json'), 'utf8'))

const loaded = new Map<string, number>()
for (const start of starts) load(start)
const totalKb = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0) / 1024
const line = `sign-in and overview load ${totalKb.toFixed(1)} KB of compressed script; at most ${limitKb} KB`
if (totalKb <= limitKb) console.log(line)
else {
  const largest = [...loaded].toSorted(([, a], [, b]) => b - a)
  console.error(
    `${line}:\n${largest.map(([file, bytes]) => `  ${(bytes / 1024).toFixed(1)} KB ${file}`).join('\n')}`,
  )
  process.exitCode = 1
}

function load(name: string): void {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`${name} is not in the build: was it renamed?`)
  if (loaded.has(chunk.file)) return
  loaded.set(chunk.file, statSync(resolve(dist, `${chunk.file}.gz`)).size)
  for (const imported of chunk.imports ?? []) load(imported)
}
