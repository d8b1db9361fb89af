/** The OAuth clients that the operator has registered with the services; workspaces can set their own over the API. */
import { secret, setting } from './setting.ts'
import { optional, text } from './values.ts'

const client = (variable: string, service: string) =>
  setting(variable, optional(text), null, `OAuth client of the ${service} integration.`)

const clientSecret = (variable: string) => secret(variable, optional(text), null, 'Its secret.')

export const integrationSettings = {
  githubClientId: client('ATRIUM_GITHUB_CLIENT_ID', 'GitHub'),
  githubClientSecret: clientSecret('ATRIUM_GITHUB_CLIENT_SECRET'),
  googleClientId: client('ATRIUM_GOOGLE_CLIENT_ID', 'Google Drive'),
  googleClientSecret: clientSecret('ATRIUM_GOOGLE_CLIENT_SECRET'),
  slackClientId: client('ATRIUM_SLACK_CLIENT_ID', 'Slack'),
  slackClientSecret: clientSecret('ATRIUM_SLACK_CLIENT_SECRET'),
  notionClientId: client('ATRIUM_NOTION_CLIENT_ID', 'Notion'),
  notionClientSecret: clientSecret('ATRIUM_NOTION_CLIENT_SECRET'),
}
