/** Clients that generators make of openapi.json: generated, compiled, and taken through seven steps. */
import type { Part } from '../../part.ts'
import type { Tried } from '../server.ts'
import { runOapiCodegen, runOpenapiGeneratorGo } from './go.ts'
import { runOpenapiGeneratorJava } from './java.ts'
import { runHeyApi, runOpenapiFetch, runOpenapiGeneratorTypescript } from './npm.ts'
import { runOpenapiGeneratorPython, runOpenapiPythonClient } from './python.ts'

/** The long form compiles what its compiler takes long for. */
export function generatedParts(tried: () => Tried): Part[] {
  return [
    {
      name: 'generated python, openapi-python-client',
      isMain: true,
      run: work => runOpenapiPythonClient(work, tried()),
    },
    { name: 'generated python, openapi-generator', run: work => runOpenapiGeneratorPython(work, tried()) },
    { name: 'generated typescript, hey-api', run: work => runHeyApi(work, tried()) },
    { name: 'generated typescript, openapi-fetch', run: work => runOpenapiFetch(work, tried()) },
    { name: 'generated go, oapi-codegen', run: work => runOapiCodegen(work, tried()) },
    {
      name: 'generated go, openapi-generator',
      isLong: true,
      limitMinutes: 20,
      run: work => runOpenapiGeneratorGo(work, tried()),
    },
    {
      name: 'generated typescript, openapi-generator',
      isLong: true,
      run: work => runOpenapiGeneratorTypescript(work, tried()),
    },
    {
      name: 'generated java, openapi-generator',
      isLong: true,
      limitMinutes: 20,
      run: work => runOpenapiGeneratorJava(work, tried()),
    },
  ]
}
