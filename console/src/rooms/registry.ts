/** Every room of the console, in the order of the sidebar. A feature's rooms are a list of its own; here they are joined. */
import { accountRooms } from './account/rooms.ts'
import { agentRooms } from './agents/rooms.ts'
import { apiKeyRooms } from './api-keys/rooms.ts'
import { auditRooms } from './audit/rooms.ts'
import { integrationRooms } from './integrations/rooms.ts'
import { knowledgeRooms } from './knowledge/rooms.ts'
import { memberRooms } from './members/rooms.ts'
import { overviewRooms } from './overview/rooms.ts'
import type { Room } from './room.ts'
import { teamRooms } from './teams/rooms.ts'
import { usageRooms } from './usage/rooms.ts'
import { webhookRooms } from './webhooks/rooms.ts'
import { workspaceRooms } from './workspace/rooms.ts'

export const rooms: readonly Room[] = [
  ...overviewRooms,
  ...agentRooms,
  ...knowledgeRooms,
  ...integrationRooms,
  ...webhookRooms,
  ...usageRooms,
  ...auditRooms,
  ...workspaceRooms,
  ...memberRooms,
  ...teamRooms,
  ...apiKeyRooms,
  ...accountRooms,
]
