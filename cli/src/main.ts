/** `atrium COMMAND`: which commands there are, how their words are read, and how they end. */
import { fstatSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import { type ParseArgsOptionDescriptor, type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { ask, search } from './ask.ts'
import { completionScript, type Described, shells } from './completion.ts'
import { connect } from './connect.ts'
import type { Context, Options } from './context.ts'
import { describeFailure, exitCodes, Failure } from './failure.ts'
import { createProfileStore } from './profiles.ts'
import { login, logout, whoAmI } from './sign-in.ts'
import { sync } from './sync.ts'
import { createTerminal } from './terminal.ts'
import { listen, tailRuns } from './watch.ts'

/** `value` is what stands behind the option. */
type Option = ParseArgsOptionDescriptor & { value?: string; says: string }

type Command = {
  usage: string
  summary: string
  options?: Readonly<Record<string, Option>>
  /** Those that may stand first behind it. */
  words?: readonly string[]
  run: (context: Context) => Promise<void>
}

const text = (value: string, says: string): Option => ({ type: 'string', value, says })
const flag = (says: string): Option => ({ type: 'boolean', says })

const commands: Readonly<Record<string, Command>> = {
  login: {
    usage: 'login [--url URL] [--with-key < FILE]',
    summary: 'Sign in with a browser, or keep a key',
    options: { 'with-key': flag('Keep an API key that standard input gives, instead of signing in') },
    run: login,
  },
  logout: { usage: 'logout', summary: 'Forget the profile and end its tokens', run: logout },
  whoami: { usage: 'whoami', summary: 'Which workspace, and what you may do', run: whoAmI },
  ask: {
    usage: 'ask AGENT QUESTION [--conversation ID]',
    summary: 'Stream an answer with its sources; piped text is added to the question',
    options: { conversation: text('ID', 'Ask further in this conversation') },
    run: ask,
  },
  search: {
    usage: 'search QUESTION [--collection NAME] [--limit N]',
    summary: 'Show the passages that answer best',
    options: {
      collection: text('NAME', 'Search this collection alone, by its name or id'),
      limit: text('N', 'Show up to N passages, from 1 to 50. Default: 10'),
    },
    run: search,
  },
  sync: {
    usage:
      'sync DIR [--collection NAME] [--dry-run] [--exclude GLOB] [--skip-unsupported] [--confirm-deletes N] [--parallel N]',
    summary: 'Make a collection hold what a folder holds',
    options: {
      collection: text(
        'NAME',
        'The collection, by its name or id. It is created if missing. Default: the name of the folder',
      ),
      'dry-run': flag('Show how many files would be added, changed and deleted. With --json, also which'),
      exclude: {
        ...text(
          'GLOB',
          "Leave out files whose path in the folder matches, such as '**/*.log'. May be repeated",
        ),
        multiple: true,
      },
      'skip-unsupported': flag('Finish, and delete what is gone, although the server cannot read some files'),
      'confirm-deletes': text('N', 'Delete exactly N documents, if that many deletions need a confirmation'),
      parallel: text('N', 'Send N files at once, from 1 to 16. Default: 4'),
    },
    run: sync,
  },
  listen: {
    usage: 'listen --forward-to URL [--events TYPES] [--since TIME] [--secret whsec_…]',
    summary: 'Send events to a local server, signed as webhooks are',
    options: {
      'forward-to': text('URL', 'The server that receives the events. Required'),
      events: text('TYPES', 'Only these types, separated by commas, such as run.*,document.ready'),
      since: text('TIME', 'Begin with events from this time on, in ISO 8601. Default: now'),
      secret: text(
        'whsec_…',
        'Sign with this secret. Better: ATRIUM_WEBHOOK_SECRET, which other users do not see',
      ),
    },
    run: listen,
  },
  runs: {
    usage: 'runs tail [RUN] [--agent NAME] [--limit N] [--no-follow]',
    summary: 'Show runs as they happen, or one run’s events',
    options: {
      agent: text('NAME', 'Only runs of this agent, by its name or id'),
      limit: text('N', 'Begin with the N latest runs, from 1 to 100. Default: 10'),
      'no-follow': flag('Show the latest runs and end'),
    },
    words: ['tail'],
    run: context => {
      const [verb, ...words] = context.words
      if (verb !== 'tail') throw new Failure('Usage: atrium runs tail [RUN]', 'usage')
      return tailRuns({ ...context, words })
    },
  },
  completion: {
    usage: `completion ${shells.join('|')}`,
    summary: 'Print a script that completes commands',
    words: shells,
    run: async ({ terminal, words }) => {
      terminal.write(completionScript(words[0], described()))
    },
  },
}

const common = {
  json: flag('Print one JSON value on each line'),
  profile: text('NAME', 'Use this profile. Default: default'),
  url: text('URL', 'Use this server. Wins over ATRIUM_URL and the profile'),
  help: { ...flag('Show this'), short: 'h' },
}

const described = (): Described[] =>
  Object.entries(commands).map(([name, { summary, options = {}, words = [] }]) => ({
    name,
    summary,
    words,
    options: Object.keys({ ...options, ...common }).map(option => `--${option}`),
  }))

const help = (): string => `Usage: atrium COMMAND

${Object.values(commands)
  .map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  .join('\n')}

Every command takes --json (one JSON value on each line), --profile NAME, --url URL and --help.
ATRIUM_URL and ATRIUM_API_KEY win over the profile. Exit codes: 0 done, 1 failed, 2 wrong usage, 4 sign in first.
`

const helpOf = ({ usage, summary, options = {} }: Command): string => {
  const shown = Object.entries({ ...options, ...common }).map(([name, { value, says }]) => ({
    option: value === undefined ? `--${name}` : `--${name} ${value}`,
    says,
  }))
  const width = Math.max(...shown.map(({ option }) => option.length))
  const lines = shown.map(({ option, says }) => `  ${option.padEnd(width)}  ${says}`)
  return `Usage: atrium ${usage}\n\n${summary}\n\nOptions:\n${lines.join('\n')}\n`
}

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  const { env, stdin, stdout, stderr } = process
  const [name = 'help', ...rest] = words
  const aborted = new AbortController()
  const interrupt = (): void => {
    // The second time nothing is waited for.
    if (aborted.signal.aborted) process.exit(exitCodes.interrupted)
    aborted.abort(new Failure('Interrupted', 'interrupted'))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  // A reader such as `head` has enough.
  stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 1))
  const json = rest.includes('--json')
  const terminal = createTerminal({ out: stdout, err: stderr, json, env })
  try {
    if (name === '--version') {
      stdout.write(`${manifest.version}\n`)
      return exitCodes.done
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) {
      const isAsked = ['help', '--help', '-h'].includes(name)
      if (!isAsked) throw new Failure(`There is no command “${name}”. \`atrium help\` lists them.`, 'usage')
      stdout.write(help())
      return exitCodes.done
    }
    const { values, positionals } = read(rest, { ...command.options, ...common })
    if (values.help === true) {
      stdout.write(helpOf(command))
      return exitCodes.done
    }
    const store = createProfileStore(env)
    const options = values as Options
    const given = options.url === undefined ? env : { ...env, ATRIUM_URL: options.url }
    await command.run({
      terminal,
      store,
      env: given,
      options,
      words: positionals,
      atrium: () => connect({ profile: options.profile, env: given, store }),
      stdin: async () => (isPiped() ? readAll(stdin) : ''),
      signal: aborted.signal,
    })
    return exitCodes.done
  } catch (error) {
    const { message, code, details } = describeFailure(aborted.signal.aborted ? aborted.signal.reason : error)
    terminal.value({ error: { message, ...details } })
    terminal.fault(message)
    return code
  } finally {
    terminal.clear()
  }
}

/** A shell's pipe or file. Anything else may never end: a service manager leaves a socket open. */
function isPiped(): boolean {
  const info = fstatSync(0)
  return info.isFIFO() || info.isFile()
}

function read(words: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true })
  } catch (error) {
    throw new Failure((error as Error).message, 'usage')
  }
}
