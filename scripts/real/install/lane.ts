/** The lane of what people have installed: each stock Node with the npm that it brings, and places that are unlike ours. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Lane, Part, Work } from '../part.ts'
import { type Times, tryFirstHour, type Way } from './first-hour.ts'
import type { Versions } from './machine.ts'
import { tryRefusals } from './refusal.ts'

const stock20: Versions = { node: '20', npm: '10' }
const limitMinutes = 15

const ways: Record<string, Way & Pick<Part, 'isMain' | 'isLong'>> = {
  'node-20-npm-10': { ...stock20, isMain: true },
  'node-22-npm-10': { node: '22', npm: '10' },
  'node-24-npm-11': { node: '24', npm: '11', isLong: true, checks: true },
  'node-26-npm-11': { node: '26', npm: '11', isLong: true },
  'node-20-npm-11': { node: '20', npm: '11', isLong: true },
  'node-22-npm-11': { node: '22', npm: '11', isLong: true },
  'oldest-node-20': { node: '20.19.0', npm: '10', isLong: true, checks: true },
  'oldest-node-22': { node: '22.13.0', npm: '10', isLong: true },
  'blanks-and-umlauts': { ...stock20, isLong: true, folderName: "Größen & 'Maße' (neu)" },
  'ignore-scripts': { ...stock20, isLong: true, words: ['--ignore-scripts'], isBuilt: false },
  'omit-dev': { ...stock20, isLong: true, words: ['--omit=dev'], isBuilt: false },
  // A service account has none: it cannot be made below a file.
  'no-home': { ...stock20, isLong: true, environment: { HOME: '/dev/null/none' } },
  'home-unset': { ...stock20, isLong: true, environment: { HOME: undefined } },
  production: { ...stock20, isLong: true, environment: { NODE_ENV: 'production' }, isBuilt: false },
}

export function createInstall(): Lane {
  const table: Times[] = []
  const openRow = (name: string): Times => {
    const row = { name, seconds: new Map<string, number>() }
    table.push(row)
    return row
  }
  const refusals = (name: string, versions: Versions): Part => ({
    name,
    run: work => tryRefusals(work, versions, openRow(name)),
  })
  return {
    name: 'install',
    budgetMinutes: { short: 4, long: 30 },
    parts: [
      refusals('node-18-is-refused', { node: '18', npm: '10' }),
      { ...refusals('node-18-npm-9-is-refused', { node: '18', npm: '9' }), isLong: true },
      ...Object.entries(ways).map(([name, { isMain, isLong, ...way }]): Part => {
        const run = (work: Work) => tryFirstHour(work, way, openRow(name))
        return withoutUndefined<Part>({ name, isMain, isLong, limitMinutes, run })
      }),
    ],
    // After the last part, so that the table stands together.
    prepare: async work => async () => {
      for (const { name, seconds } of table)
        work.log(
          `  ${name}: ${[...seconds].map(([command, took]) => `${command} ${took.toFixed(1)} s`).join(', ')}`,
        )
    },
  }
}
