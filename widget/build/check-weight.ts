/** Fails where the widget is heavier than it may be, gzipped as a browser gets it. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'

const limitKb = 40
const file = resolve(import.meta.dirname, '../dist/atrium-chat.js.gz')
const kb = statSync(file).size / 1024
const line = `the widget has ${kb.toFixed(1)} KB compressed; at most ${limitKb} KB`
if (kb > limitKb) throw new Error(line)
console.log(line)
