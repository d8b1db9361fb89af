/** The ready-made connectors; a new one is a folder and a line here. */
import type { Connector } from './connector.ts'
import { github } from './github/connector.ts'
import { googleDrive } from './google-drive/connector.ts'
import { httpApi } from './http-api/connector.ts'
import { mcp } from './mcp/connector.ts'
import { notion } from './notion/connector.ts'
import { slack } from './slack/connector.ts'
import { website } from './website/connector.ts'

export const catalog: readonly Connector[] = [github, googleDrive, httpApi, mcp, notion, slack, website]
