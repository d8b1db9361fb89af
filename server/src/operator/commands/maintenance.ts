/** `backup`, `restore`, `reindex`, `doctor` and `secret rotate`. */
import { createReindexService } from '../../features/knowledge/processing/reindex-service.ts'
import { makeBackup } from '../backup/backup.ts'
import { restoreBackup } from '../backup/restore.ts'
import type { Command } from '../command.ts'
import { attackLines, examine, taskLines } from '../doctor.ts'
import { UsageError } from '../errors.ts'
import { rotateSecret } from '../secrets/secret-rotation.ts'
import { findWorkspace } from '../session.ts'

const progressEvery = 500

export const maintenanceCommands: Command[] = [
  {
    name: 'backup',
    summary: 'Writes records, files and secret into a new folder; the server may go on.',
    positionals: ['FOLDER'],
    options: {},
    async run({ positionals: [folder = ''] }, context) {
      const session = await context.open()
      const manifest = await makeBackup(session, folder, context.progress)
      const { missingFiles, hasSecret } = manifest
      const notes = [
        ...(hasSecret
          ? ['It holds the master secret: a reader of it can read everything.']
          : ['It does not hold ATRIUM_SECRET: without that secret, it cannot be restored.']),
        ...missingFiles.map(id => `The file ${id} is missing.`),
      ]
      return {
        json: { folder, ...manifest },
        lines: [`${folder} is a backup of ${manifest.createdAt}.`, ...notes],
      }
    },
  },
  {
    name: 'restore',
    summary: 'Puts a backup back, into either database; the server must be stopped.',
    positionals: ['FOLDER'],
    options: {
      replace: { value: null, help: 'Erases what is there. Without it, only an empty place is filled.' },
    },
    async run({ positionals: [folder = ''], flags }, { settings, progress }) {
      const replace = flags.has('replace')
      const { manifest, documents } = await restoreBackup(settings, folder, { replace, progress })
      return {
        json: { folder, createdAt: manifest.createdAt, files: manifest.files, documents },
        lines: [`The backup of ${manifest.createdAt} is restored.`],
      }
    },
  },
  {
    name: 'reindex',
    summary: 'Builds the search index again from the stored text; the server may go on.',
    positionals: [],
    options: { workspace: { value: 'W', help: 'Only this workspace.' } },
    async run({ values: { workspace } }, context) {
      const session = await context.open()
      const only =
        workspace === undefined ? {} : { workspaceId: (await findWorkspace(session, workspace)).id }
      const documents = await createReindexService(session).rebuild({
        ...only,
        onDocument: count => {
          if (count % progressEvery === 0) context.progress(`${count} documents`)
        },
      })
      return { json: { documents }, lines: [`${documents} documents are indexed again.`] }
    },
  },
  {
    name: 'doctor',
    summary: 'Examines settings, database, secret, files, disk, clock, mail, parsers and periodic tasks.',
    positionals: [],
    options: {},
    async run(_input, { settings }) {
      const { checks, tasks, attacks } = await examine(settings)
      const ok = checks.every(check => check.ok)
      return {
        json: { ok, checks, tasks, attacks },
        lines: [
          ...checks.map(check => `${check.ok ? 'ok   ' : 'FAULT'}  ${check.name.padEnd(10)} ${check.detail}`),
          ...taskLines(tasks),
          ...attackLines(attacks),
        ],
        failed: !ok,
      }
    },
  },
  {
    name: 'secret rotate',
    summary: 'Puts everything under a new master secret; the server must be stopped.',
    positionals: [],
    options: {
      'new-secret-file': {
        value: 'FILE',
        help: 'Holds the new secret, or gets one that is made up. Needed where ATRIUM_SECRET is set.',
      },
    },
    async run({ values }, { settings, progress }) {
      const newSecretFile = values['new-secret-file'] ?? null
      if (settings.secret !== null && newSecretFile === null) {
        throw new UsageError('ATRIUM_SECRET is set: name a file for the new one by --new-secret-file FILE')
      }
      const rotated = await rotateSecret(settings, { newSecretFile, progress })
      const next =
        rotated.newSecretFile === null
          ? 'The server can start again.'
          : `Put the text of ${rotated.newSecretFile} into ATRIUM_SECRET before the server starts again.`
      return {
        json: rotated,
        lines: [
          `The data of ${rotated.workspaces} workspaces is under the new secret; people have to sign in again.`,
          'Backups that were made before need the old secret.',
          next,
        ],
      }
    },
  },
]
