/** The settings: which GitHub repositories are kept in sync, and what of each repository. */

import type { ConfigFault, ObjectSchema } from '../connector.ts'
import { withoutOuter } from '../trim.ts'

export const contents = ['issues', 'pull_requests', 'files'] as const
export type ContentKind = (typeof contents)[number]

export type Settings = {
  repositories?: string[]
  content?: ContentKind[]
  state?: 'all' | 'open'
  paths?: string[]
  extensions?: string[]
}

/** The states of so many repositories fit into the text that is kept between two pages. */
export const maxRepositories = 50

/** A name that consists of dots alone would change the path of the address. */
const repositoryPattern = '^[A-Za-z0-9_-]{1,100}/(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$'

export const repositorySchema = {
  type: 'string',
  maxLength: 200,
  pattern: repositoryPattern,
  description: 'As `owner/name`.',
  examples: ['octocat/Hello-World'],
}

export const configSchema: ObjectSchema = {
  type: 'object',
  properties: {
    repositories: {
      type: 'array',
      items: repositorySchema,
      minItems: 1,
      maxItems: maxRepositories,
      description: `As \`owner/name\`; unless given, all that the credentials see, which must be no more than ${maxRepositories}. Tools reach no others either.`,
    },
    content: {
      type: 'array',
      items: { type: 'string', enum: contents },
      minItems: 1,
      uniqueItems: true,
      description: 'What becomes documents: all three unless given.',
    },
    state: {
      type: 'string',
      enum: ['all', 'open'],
      description: 'Of issues and pull requests: `all` (unless given) or the open ones only.',
    },
    paths: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 400 },
      maxItems: 50,
      description: 'Folders and files of the default branch, such as `docs`; all unless given.',
    },
    extensions: {
      type: 'array',
      items: { type: 'string', pattern: '^\\.[A-Za-z0-9._-]{1,20}$', examples: ['.md'] },
      maxItems: 50,
      description:
        'Which files: `.md`, `.mdx`, `.markdown`, `.rst`, `.adoc`, `.txt`, `.pdf` and `.docx` unless given. A file that `paths` names is taken in any case.',
    },
  },
  additionalProperties: false,
}

const usualExtensions = ['.md', '.mdx', '.markdown', '.rst', '.adoc', '.txt', '.pdf', '.docx']

export function checkConfig({ paths = [] }: Settings): ConfigFault[] {
  return paths.flatMap((path, index) =>
    isPathInside(trimmed(path))
      ? []
      : [
          {
            field: `paths.${index}`,
            message: 'must be the path of a folder or file within the repository, such as `docs/guides`',
          },
        ],
  )
}

/** Whether the path has no empty names and no steps upwards. */
export const isPathInside = (path: string): boolean =>
  path.split('/').every(name => !['', '.', '..'].includes(name))

export const wants = ({ content = [...contents] }: Settings, kind: ContentKind): boolean =>
  content.includes(kind)

export function wantsFile({ paths, extensions = usualExtensions }: Settings, path: string): boolean {
  const roots = paths?.map(trimmed)
  if (roots?.includes(path)) return true
  const isChosen = extensions.some(extension => path.toLowerCase().endsWith(extension.toLowerCase()))
  return isChosen && (roots === undefined || roots.some(root => path.startsWith(`${root}/`)))
}

/** Whether this folder, or one below it, can hold a wanted file. */
export const wantsFolder = ({ paths }: Settings, folder: string): boolean =>
  paths === undefined ||
  paths
    .map(trimmed)
    .some(root => root === folder || root.startsWith(`${folder}/`) || folder.startsWith(`${root}/`))

const trimmed = (path: string): string => withoutOuter(path, '/')
