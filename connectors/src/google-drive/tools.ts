/** What agents can do with a connection to Google Drive: look for files and read their text. */
import type { ConnectorTool, Context } from '../connector.ts'
import { objectSchema } from '../schemas.ts'
import { download, exportAs, type FileDetails, findFile, quoted, searchFiles } from './drive-api.ts'
import { createInside } from './folders.ts'
import { textOf } from './formats.ts'
import { type DriveConfig, idPattern } from './settings.ts'

const maxTextBytes = 5 * 1024 * 1024
const fileId = { type: 'string', maxLength: 200, pattern: idPattern }
const limit = { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'How many, at most.' }

const searchTool: ConnectorTool<DriveConfig> = {
  name: 'search_files',
  description:
    'Looks for files in Google Drive by words in their names and texts. Answers their ids, names and addresses, the best first.',
  input: objectSchema(
    {
      query: { type: 'string', minLength: 1, maxLength: 500, description: 'Words to look for.' },
      limit,
    },
    ['query'],
  ),
  changes: false,
  run: (context, { query, limit: wanted = 20 }) =>
    find(context, `fullText contains ${quoted(String(query))} and trashed = false`, Number(wanted)),
}

const listTool: ConnectorTool<DriveConfig> = {
  name: 'list_folder',
  description: 'Lists the files and folders that lie directly in a folder of Google Drive.',
  input: objectSchema(
    {
      folderId: { ...fileId, description: 'The id of a folder or shared drive; `root` is My Drive.' },
      limit,
    },
    ['folderId'],
  ),
  changes: false,
  run: (context, { folderId, limit: wanted = 20 }) =>
    find(context, `${quoted(String(folderId))} in parents and trashed = false`, Number(wanted)),
}

const readTool: ConnectorTool<DriveConfig> = {
  name: 'read_file',
  description:
    'Reads the text of a file in Google Drive: of Google documents, presentations and spreadsheets (the first sheet), and of files that are text.',
  input: objectSchema({ fileId: { ...fileId, description: 'The id, as search_files answers it.' } }, [
    'fileId',
  ]),
  changes: false,
  async run(context, { fileId: id }) {
    const file = await findFile(context.http, String(id))
    if (file === null || file.trashed === true || !(await mayRead(context)(file))) {
      throw new Error('There is no such file, or this connection does not reach it')
    }
    const how = textOf(file.mimeType)
    if (how === null) {
      throw new Error(
        `A file of the type ${file.mimeType} has no text to read here; search the knowledge instead`,
      )
    }
    const { http } = context
    const response = await (how.exportAs === null
      ? download(http, file.id, maxTextBytes)
      : exportAs(http, file.id, how.exportAs))
    return { ...shown(file), text: await response.text() }
  },
}

export const tools: readonly ConnectorTool<DriveConfig>[] = [searchTool, listTool, readTool]

async function find(context: Context<DriveConfig>, q: string, wanted: number) {
  const isAllowed = mayRead(context)
  const files: FileDetails[] = []
  for (const file of await searchFiles(context.http, q, wanted)) {
    if (await isAllowed(file)) files.push(file)
  }
  return { files: files.map(shown) }
}

/** If folders were chosen, agents reach only the files in these folders. */
function mayRead(context: Context<DriveConfig>): (file: FileDetails) => Promise<boolean> {
  return context.config.folderIds.length > 0 ? createInside(context) : async () => true
}

const shown = ({ id, name, mimeType, modifiedTime, webViewLink, owners }: FileDetails) => ({
  id,
  name,
  mediaType: mimeType,
  modifiedAt: modifiedTime,
  url: webViewLink,
  owner: owners?.[0]?.emailAddress !== undefined ? owners[0].emailAddress : undefined,
})
