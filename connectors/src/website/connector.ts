/** A public website: its pages as Markdown, kept up to date. */
import type { Connector } from '../connector.ts'
import { findStart } from './begin.ts'
import { checkWebsiteConfig, type WebsiteConfig, websiteSchema } from './settings.ts'
import { websiteSource } from './source.ts'
import { websiteTools } from './tools.ts'

export const website: Connector<WebsiteConfig> = {
  id: 'website',
  name: 'Website',
  description: 'The pages of a public website.',
  category: 'web',
  documentationUrl: null,
  auth: [{ kind: 'none' }],
  configSchema: websiteSchema,
  checkConfig: checkWebsiteConfig,
  origins: () => [],
  blamedField: 'url',
  check: async context => {
    await findStart(context)
    const url = new URL(context.config.url)
    return { id: url.href, name: url.host }
  },
  source: websiteSource,
  tools: websiteTools,
}
