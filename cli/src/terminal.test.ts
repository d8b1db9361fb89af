/** What the command shows while it works: a bar for a person, nothing for a program or a file. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createTerminal } from './terminal.ts'

function start({ isTTY, json }: { isTTY: boolean; json: boolean }) {
  const out = new PassThrough()
  const err = Object.assign(new PassThrough(), { isTTY, columns: 60 })
  const terminal = createTerminal({ out, err, json, env: { NO_COLOR: '1' } })
  return { terminal, shown: () => readAll(err), printed: () => readAll(out) }
}

/** Node 26 answers one piece for each call, Node 24 all of them. */
function readAll(stream: PassThrough): string {
  let text = ''
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += piece
  return text
}

test('a bar fills in one line of the terminal, which the next message takes away', () => {
  const { terminal, shown, printed } = start({ isTTY: true, json: false })
  terminal.progress(1, 4, 'one.md')
  assert.equal(shown(), `${'█'.repeat(6)}${'░'.repeat(18)} 1/4 one.md`)
  terminal.progress(4, 4, `${'long/'.repeat(20)}\u001b[2Jfour.md`)
  const second = shown()
  assert.ok(second.startsWith(`\r\u001b[K${'█'.repeat(24)} 4/4 long/`))
  assert.equal(second.length, '\r\u001b[K'.length + 59)
  terminal.line('4 added')
  assert.deepEqual([shown(), printed()], ['\r\u001b[K', '4 added\n'])
  terminal.clear()
  assert.equal(shown(), '')
})

test('neither a file nor a program that reads JSON is shown a bar', () => {
  for (const kind of [
    { isTTY: false, json: false },
    { isTTY: true, json: true },
  ]) {
    const { terminal, shown } = start(kind)
    terminal.progress(1, 4, 'one.md')
    assert.equal(shown(), '')
  }
})
