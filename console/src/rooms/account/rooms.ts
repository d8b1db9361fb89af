/** The person's own account: it belongs to them, not to a workspace. */
import type { Room } from '../room.ts'

export const accountRooms: readonly Room[] = [
  {
    path: '/account',
    title: 'Your account',
    commands: [
      { title: 'Your account', to: '/account' },
      { title: 'Change your password', to: '/account' },
    ],
    load: () => import('./account.tsx'),
  },
]
