/** For tests of members in workspaces that have no webhooks. */
import type { MemberWebhooks } from '../features/workspaces/members/member-changes.ts'

export const noWebhooks: MemberWebhooks = { list: async () => [], disable: async () => undefined }
