/** `connector new`, `connector test`, `connector run`: for authors of connectors, and to run one beside a server. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config, Connector, Credentials } from '@atrium/connectors'
import { loadConnector } from '@atrium/connectors/loading'
import { openRunState, runConnector, tryConnector, tryTool } from '@atrium/connectors/outside'
import { Atrium } from '@atrium/sdk'
import { validation } from '../../http/validation.ts'
import { type FieldError, ServiceError } from '../../platform/errors.ts'
import { faultsIn } from '../../platform/json-schema/own-schema.ts'
import type { TSchema } from '../../platform/json-schema/type.ts'
import { makeFolder } from '../../platform/private-files.ts'
import { schemaFaults } from '../../start/own-connectors.ts'
import {
  type Command,
  type CommandContext,
  type CommandInput,
  type Outcome,
  operatorCommand,
  requiredValue,
} from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'

const inputOptions = {
  config: { value: 'JSON|@FILE', help: 'Settings of the connection, as its configSchema wants them.' },
  credentials: {
    value: 'JSON|@FILE',
    help: '{"apiKey": "…"}, {"username": "…", "password": "…"} or {"accessToken": "…"}; better in a file.',
  },
} as const

export const connectorCommands: Command[] = [
  {
    name: 'connector new',
    summary: 'Writes a connector to begin with: one file that works, to be changed.',
    positionals: ['NAME'],
    options: { dir: { value: 'DIR', help: 'Where to; ATRIUM_CONNECTORS_DIR unless given.' } },
    async run({ positionals: [name = ''], values }, { settings }) {
      const folder = values.dir ?? settings.connectorsDir
      if (folder === null)
        throw new UsageError('--dir DIR is required where ATRIUM_CONNECTORS_DIR is not set')
      const { file, written } = await makeConnector(name, folder)
      return {
        json: { file, written },
        lines: [
          ...written.map(path => `Written: ${path}`),
          `Next: ${operatorCommand} connector test ${file}`,
        ],
      }
    },
  },
  {
    name: 'connector test',
    summary: 'Looks at a connector at work: account, first pages, one item. Nothing is stored.',
    positionals: ['FILE'],
    options: {
      ...inputOptions,
      tool: { value: 'NAME', help: 'Calls this tool instead of listing; it does whatever it does.' },
      input: { value: 'JSON|@FILE', help: 'Input of the tool.' },
    },
    run: testConnector,
  },
  {
    name: 'connector run',
    summary: 'Brings a collection in line with a service once, over the API; run it again for what changed.',
    positionals: ['FILE'],
    options: {
      ...inputOptions,
      collection: { value: 'ID|NAME', required: true, help: 'The collection; a new name makes one.' },
      key: { value: 'KEY|@FILE', required: true, help: 'API key with knowledge:write; better in a file.' },
      url: { value: 'URL', help: 'Where Atrium is; this server as it is set up here unless given.' },
      state: { value: 'PATH', help: 'What the next run needs to know; FILE with .state.json unless given.' },
      full: { value: null, help: 'Lists everything, also where the service tells what changed.' },
      'confirm-deletes': { value: 'N', help: 'Deletes so many documents, where that is a large part.' },
    },
    run: syncConnector,
  },
]

async function testConnector(input: CommandInput, { progress }: CommandContext): Promise<Outcome> {
  const { positionals, values } = input
  const [file = ''] = positionals
  const connector = await loadConnector(file)
  const faults = schemaFaults(connector)
  if (faults.length > 0) throw new OperatorError(faults.map(fault => `${file}: ${fault}`).join('\n'))
  const opening = { ...(await readConnectorInput(connector, values)), connector, ...quietly(progress) }
  if (values.tool !== undefined) {
    const answer = await tryTool(
      opening,
      values.tool,
      await readToolInput(connector, values.tool, values.input),
    )
    return { json: { answer }, lines: [JSON.stringify(answer, null, 2)] }
  }
  if (values.input !== undefined) throw new UsageError('--input is for a tool: give --tool NAME too')
  const findings = [{ step: 'file', ok: true, details: [`${connector.name} (${connector.id}) fits`] }]
  for await (const finding of tryConnector(opening)) findings.push(finding)
  const ok = findings.every(finding => finding.ok)
  return {
    json: { ok, findings },
    lines: findings.flatMap(({ step, ok: isGood, details }) => [
      `${isGood ? 'ok   ' : 'FAULT'}  ${step}`,
      ...details.map(line => `         ${line}`),
    ]),
    failed: !ok,
  }
}

async function syncConnector(input: CommandInput, { settings, progress }: CommandContext): Promise<Outcome> {
  const { positionals, values, flags } = input
  const [file = ''] = positionals
  const connector = await loadConnector(file)
  const given = await readConnectorInput(connector, values)
  const confirmDeletes = deletesOf(values['confirm-deletes'])
  const atrium = new Atrium({
    apiKey: await readText(requiredValue(input, 'key')),
    baseUrl: values.url ?? settings.publicUrl ?? `http://${settings.host}:${settings.port}`,
  })
  const kept = await openRunState(values.state ?? `${file}.state.json`, {
    connectorId: connector.id,
    config: JSON.stringify(given.config),
    collectionId: await collectionOf(atrium, requiredValue(input, 'collection')),
  })
  const { collectionId } = kept.state
  try {
    const { isFull, counts, failures } = await runConnector({
      ...given,
      connector,
      ...quietly(progress),
      atrium,
      collectionId,
      kept,
      full: flags.has('full'),
      tell: progress,
      confirmDeletes: confirmDeletes ?? undefined,
    })
    const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    return {
      json: { collectionId, isFull, counts, failures },
      lines: [
        `${collectionId}, ${isFull ? 'everything was listed' : 'what had changed'}: ${told.join(', ')}`,
        ...failures.map(({ id, message }) => `failed: ${id}: ${message}`),
      ],
      failed: failures.length > 0,
    }
  } finally {
    await kept.release()
  }
}

/** A command ends with its process, so nothing has to be aborted. */
const quietly = (progress: CommandContext['progress']) => ({
  signal: new AbortController().signal,
  log: (message: string, details?: Record<string, unknown>) =>
    progress(details === undefined ? message : `${message} ${JSON.stringify(details)}`),
})

/** Returns the collection's id. If no collection has this name, returns a function that makes one. */
async function collectionOf({ knowledge }: Atrium, idOrName: string) {
  if (/^col_[0-9a-z]+$/.test(idOrName)) return (await knowledge.collections.get(idOrName)).id
  for await (const { id, name } of knowledge.collections.list()) if (name === idOrName) return id
  return async () => (await knowledge.collections.create({ name: idOrName })).id
}

function deletesOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--confirm-deletes must be a whole number')
  return Number(text)
}

// A first connector: the template under a new name, and the files that an editor needs to check it.

/** Returns the connector's file and all files that were written; existing files stay unchanged. */
async function makeConnector(name: string, folder: string): Promise<{ file: string; written: string[] }> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    throw new UsageError('NAME must be lower-case words joined by hyphens, such as my-wiki')
  }
  makeFolder(folder)
  const door = fileURLToPath(import.meta.resolve('@atrium/connectors'))
  const file = join(folder, `${name}.ts`)
  if (!(await writeNew(file, await templateFor(name, dirname(door))))) {
    throw new OperatorError(`${file} is there already; choose another name`)
  }
  const written = [file]
  for (const [beside, content] of Object.entries(companions(door))) {
    const path = join(folder, beside)
    if (await writeNew(path, `${JSON.stringify(content, null, 2)}\n`)) written.push(path)
  }
  return { file, written }
}

async function templateFor(id: string, source: string): Promise<string> {
  const template = await readFile(join(source, 'template/connector.ts'), 'utf8')
  const name = id
    .split('-')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
  return template.replaceAll('Example', name).replaceAll("'example'", `'${id}'`)
}

/** With these files Node reads the connector as a module without guessing, and an editor finds the interface. */
const companions = (door: string) => ({
  'package.json': { private: true, type: 'module' },
  'tsconfig.json': {
    compilerOptions: {
      target: 'ES2024',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [resolve(dirname(door), '../../node_modules/@types')],
      paths: { '@atrium/connectors': [door] },
    },
  },
})

async function writeNew(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

// Settings and credentials of a connector from a command line, checked as the server checks those of a connection.

/** Throws a `UsageError` with one line for each invalid field. */
async function readConnectorInput(connector: Connector, given: { config?: string; credentials?: string }) {
  const config = await readJson('config', given.config ?? '{}')
  const faults = configFaults(connector, config)
  if (faults.length > 0) {
    throw new UsageError(
      faults.map(({ field, message }) => `--config: ${field} ${message}`).join('\n        '),
    )
  }
  const credentials =
    given.credentials === undefined ? null : await readJson('credentials', given.credentials)
  return { config, credentials: credentialsOf(connector, credentials) }
}

/** Checked like the input of an agent's call. */
async function readToolInput({ tools = [] }: Connector, toolName: string, given = '{}') {
  const input = await readJson('input', given)
  const tool = tools.find(({ name }) => name === toolName)
  // A connector's schema is plain JSON Schema; values are checked against it as against a TypeBox schema.
  const faults = tool === undefined ? [] : faultsIn(tool.input as unknown as TSchema, input, 'the whole')
  if (faults.length === 0) return input
  throw new UsageError(faults.map(({ field, message }) => `--input: ${field} ${message}`).join('\n        '))
}

/** The value itself, or the content of the file that is named after an @. */
async function readText(value: string): Promise<string> {
  if (!value.startsWith('@')) return value
  const path = value.slice(1)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code})`)
  })
  return text.trim()
}

async function readJson(option: string, value: string): Promise<Record<string, unknown>> {
  const text = await readText(value)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>
    }
  } catch {
    // Reported below, with the expected form.
  }
  throw new UsageError(`--${option} must be a JSON object, or @FILE with one`)
}

/** Fills in defaults, and returns the faults. */
function configFaults(connector: Connector, config: Config): readonly FieldError[] {
  try {
    validation.body(connector.configSchema)(config)
    return connector.checkConfig?.(config) ?? []
  } catch (error) {
    if (error instanceof ServiceError) return error.errors
    throw error
  }
}

function credentialsOf({ auth }: Connector, given: Record<string, unknown> | null): Credentials | null {
  const kinds = auth.map(({ kind }) => kind)
  if (given === null) {
    if (kinds.includes('none') || kinds.includes('mcp')) return null
    throw new UsageError(`--credentials JSON|@FILE is required: ${kinds.map(formOf).join(' or ')}`)
  }
  const { apiKey, headers, username, password, accessToken } = given
  if (kinds.includes('api_key') && isText(apiKey)) return { kind: 'api_key', apiKey }
  if (kinds.includes('headers') && isTexts(headers)) return { kind: 'headers', headers }
  if (kinds.includes('oauth2') && isText(accessToken)) return { kind: 'oauth2', accessToken }
  if (kinds.includes('basic') && isText(username) && typeof password === 'string') {
    return { kind: 'basic', username, password }
  }
  throw new UsageError(`--credentials must be ${kinds.map(formOf).join(' or ')}`)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText)

const forms = {
  api_key: '{"apiKey": "…"}',
  headers: '{"headers": {"NAME": "…"}}',
  oauth2: '{"accessToken": "…"}',
  basic: '{"username": "…", "password": "…"}',
  none: 'left out',
  mcp: 'left out',
}
const formOf = (kind: keyof typeof forms): string => forms[kind]
