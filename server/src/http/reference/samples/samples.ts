/** The languages of the samples, in the order of their switch. */
import type { Call } from './call.ts'
import { curlOf } from './curl.ts'
import { pythonOf } from './python.ts'
import { typeScriptOf } from './typescript.ts'

export const samplesOf = (call: Call) =>
  [
    { language: 'curl', label: 'curl', fence: 'sh', text: curlOf(call) },
    { language: 'typescript', label: 'TypeScript', fence: 'ts', text: typeScriptOf(call) },
    { language: 'python', label: 'Python', fence: 'py', text: pythonOf(call) },
  ] as const
