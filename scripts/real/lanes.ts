/** The lanes that `npm run test:real` knows. */
import { clients } from './clients/lane.ts'
import { createInstall } from './install/lane.ts'
import type { Lane } from './part.ts'

export const lanes: readonly Lane[] = [createInstall(), clients]
