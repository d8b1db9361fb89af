/** The file that `ATRIUM_MODEL_PRICES` names: a fault in it stops the start, in a line that names the file. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SettingsError } from '../settings/settings.ts'
import { startTestApp } from '../testing/test-app.ts'
import { readModelPrices } from './dependencies.ts'

async function withFile<T>(content: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-prices-'))
  const path = join(folder, 'prices.json')
  await writeFile(path, content)
  try {
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const faultsOf = async (path: string): Promise<string[]> => {
  const thrown = await readModelPrices(path).then(
    () => assert.fail('the file was read'),
    (error: unknown) => error,
  )
  assert.ok(thrown instanceof SettingsError)
  return thrown.faults
}

test('each fault is a line that names the setting, the file and the model', async () => {
  await withFile('{"gpt": {}, "openai/a": {"contextTokens": 0}}', async path => {
    assert.deepEqual(
      (await faultsOf(path)).map(fault => fault.replace(path, 'FILE').slice(0, 46)),
      ['ATRIUM_MODEL_PRICES: FILE: "gpt" is not the na', 'ATRIUM_MODEL_PRICES: FILE: "openai/a" has a co'],
    )
  })
})

test('a file that cannot be read is a fault', async () => {
  assert.match((await faultsOf('/nowhere/prices.json'))[0] ?? '', /^ATRIUM_MODEL_PRICES: .*ENOENT/)
})

test('GET /models shows the operator’s windows and prices', async () => {
  const text = JSON.stringify({
    'anthropic/claude-sonnet-4-6': {
      contextTokens: 1_234,
      inputUsdPerMillionTokens: 7,
      outputUsdPerMillionTokens: 8,
    },
  })
  await withFile(text, async path => {
    const app = await startTestApp({ settings: { ANTHROPIC_API_KEY: 'key', ATRIUM_MODEL_PRICES: path } })
    const { data } = (await app.request('GET', '/models')).body
    const listed = data.find(({ id }: { id: string }) => id === 'anthropic/claude-sonnet-4-6')
    assert.deepEqual(listed, {
      id: 'anthropic/claude-sonnet-4-6',
      provider: 'anthropic',
      description: '',
      purposes: ['chat'],
      contextTokens: 1_234,
      seesImages: true,
      price: {
        inputUsdPerMillionTokens: 7,
        cachedInputUsdPerMillionTokens: 7,
        outputUsdPerMillionTokens: 8,
      },
      isDefault: true,
    })
    await app.close()
  })
})
