/** Clients in Python, of openapi-python-client and of openapi-generator. */
import { join } from 'node:path'
import { installed, must, pythonSet } from '../../packages.ts'
import type { Outcome, Work } from '../../part.ts'
import { runProgram } from '../python.ts'
import type { Tried } from '../server.ts'
import { document, documentPath, openapiGenerator, programs } from './generator.ts'

export async function runOpenapiPythonClient(work: Work, tried: Tried): Promise<Outcome> {
  const folder = await openapiPythonClient(work)
  const python = join(await pythonSet(work, 'openapi-python-client'), 'python')
  return run(work, python, 'use_openapi_python_client.py', folder, tried)
}

export async function runOpenapiGeneratorPython(work: Work, tried: Tried): Promise<Outcome> {
  const folder = await openapiGenerator(work, 'python', [])
  const python = join(await pythonSet(work, 'openapi-generator-python'), 'python')
  return run(work, python, 'use_openapi_generator.py', folder, tried)
}

const run = (work: Work, python: string, file: string, generated: string, tried: Tried) =>
  runProgram(work, [python, join(work.root, programs, file)], tried, {
    PYTHONPATH: [join(work.root, 'clients/python'), generated].join(':'),
  })

/** Both tus operations have a body of their own media type, which the generator leaves out with a warning. */
const leftOut = ['POST /knowledge/uploads', 'PATCH /knowledge/uploads/{id}']

const packageName = 'atrium_api_client'

async function openapiPythonClient(work: Work): Promise<string> {
  const bin = await pythonSet(work, 'openapi-python-client')
  const options = ['--path', documentPath(work), '--meta', 'none', '--output-path', packageName]
  return installed(work, 'opc', [bin, options, await document(work)], async into => {
    const output = await must(work, [join(bin, 'openapi-python-client'), 'generate', ...options], into)
    const warned = [...output.matchAll(/^WARNING parsing (.+) within/gm)].map(([, operation]) => operation)
    const surprising = warned.filter(operation => !leftOut.includes(operation ?? ''))
    if (surprising.length > 0) throw new Error(`Left out: ${surprising.join(', ')}\n${output}`)
  })
}
