import { readdir } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { startTestApp } from '../../../testing/test-app.ts'

test('an upload that breaks off leaves no file behind', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  const staged = (): Promise<string[]> => readdir(join(app.dependencies.blobFolder, 'staging'))
  const origin = await app.listen()
  for (const path of ['documents', 'documents/batch', 'imports']) {
    const request = sendRequest(`${origin}/api/v1/knowledge/${path}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${app.liveKey.key}`,
        'content-type': 'multipart/form-data; boundary=B',
        'content-length': 900_000,
      },
    })
    // That it is cut off is what is tried.
    request.on('error', () => undefined)
    const head = 'content-disposition: form-data; name="file"; filename="a.txt"'
    request.write(`--B\r\n${head}\r\n\r\n${'x'.repeat(500_000)}`)
    await until(async () => (await staged()).length === 1)
    request.destroy()
    await until(async () => (await staged()).length === 0)
  }
})

const until = (isSo: () => Promise<boolean>) => eventually(`it is so: ${isSo}`, isSo)
