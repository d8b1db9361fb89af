/** Every command of the operator. */
import type { Command } from './command.ts'
import { archiveCommands } from './commands/archives.ts'
import { connectorCommands } from './commands/connectors.ts'
import { keyCommands } from './commands/keys.ts'
import { maintenanceCommands } from './commands/maintenance.ts'
import { userCommands } from './commands/users.ts'
import { workspaceCommands } from './commands/workspaces.ts'

export const commands: readonly Command[] = [
  ...keyCommands,
  ...workspaceCommands,
  ...archiveCommands,
  ...userCommands,
  ...connectorCommands,
  ...maintenanceCommands,
]
