/** `workspace export` and `workspace import`. */
import { resolve } from 'node:path'
import { plans } from '../../platform/caller.ts'
import type { Command } from '../command.ts'
import { findWorkspace } from '../session.ts'
import { exportWorkspace } from '../workspaces/workspace-export.ts'
import { importWorkspace } from '../workspaces/workspace-import.ts'

export const archiveCommands: Command[] = [
  {
    name: 'workspace export',
    summary: 'Writes its collections, agents and teams into one file; the server may go on.',
    positionals: ['W', 'FILE'],
    options: {},
    async run({ positionals: [idOrSlug = '', file = ''] }, context) {
      const session = await context.open()
      const workspace = await findWorkspace(session, idOrSlug)
      const counts = await exportWorkspace(session, workspace, resolve(file), context.progress)
      return {
        json: { file: resolve(file), workspace: workspace.slug, ...counts },
        lines: [
          `${file} holds ${counts.collections} collections with ${counts.documents} documents of ${workspace.slug}.`,
          'People, keys, connections and secrets are not in it.',
        ],
      }
    },
  },
  {
    name: 'workspace import',
    summary: 'Makes a workspace of such a file; the server may go on.',
    positionals: ['FILE'],
    options: {
      name: { value: 'NAME', help: 'Its name; the one in the file unless given.' },
      slug: { value: 'SLUG', help: 'Its short name; derived from the name unless given.' },
      plan: {
        value: 'PLAN',
        choices: plans,
        help: `${plans.join(', ')}; enterprise for the first workspace, then ATRIUM_NEW_WORKSPACE_PLAN.`,
      },
      owner: { value: 'EMAIL', help: "Its owner; the first workspace's first owner unless named." },
    },
    async run({ positionals: [file = ''], values }, context) {
      const session = await context.open()
      const { workspace, counts, notes } = await importWorkspace(
        session,
        resolve(file),
        values,
        context.progress,
      )
      const { id, name, slug, plan } = workspace
      return {
        json: { id, name, slug, plan, ...counts, notes },
        lines: [`${id}  ${slug}  ${plan}  ${name}`, `${counts.documents} documents are in it.`, ...notes],
      }
    },
  },
]
