/** Scripts that let a shell complete commands and options: `source <(atrium completion bash)`. */
import { Failure } from './failure.ts'

/** `words` are those that may stand first behind the command. */
export type Described = {
  name: string
  summary: string
  options: readonly string[]
  words: readonly string[]
}

export const shells = ['bash', 'zsh', 'fish'] as const

export function completionScript(shell: string | undefined, commands: readonly Described[]): string {
  if (shell === 'bash') return bash(commands)
  if (shell === 'zsh') return zsh(commands)
  if (shell === 'fish') return fish(commands)
  throw new Failure(`Usage: atrium completion ${shells.join('|')}`, 'usage')
}

const bash = (commands: readonly Described[]): string => `_atrium() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words flags
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "$command" in
${commands.map(({ name, options, words }) => `    ${name}) words="${words.join(' ')}" flags="${options.join(' ')}" ;;`).join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _atrium atrium
`

const zsh = (commands: readonly Described[]): string => `#compdef atrium
_atrium() {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", '’')}'`).join('\n')}
  )
  local -a verbs flags
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(({ name, options, words }) => `    ${name}) verbs=(${words.join(' ')}) flags=(${options.join(' ')}) ;;`).join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    compadd -- $flags
  elif (( CURRENT == 3 && $#verbs )); then
    compadd -- $verbs
  else
    _files
  fi
}
compdef _atrium atrium
`

const fish = (commands: readonly Described[]): string =>
  `complete -c atrium -f -n __fish_use_subcommand -a "${commands.map(({ name }) => name).join(' ')}"\n${commands
    .flatMap(({ name, options, words }) => {
      const behind = `complete -c atrium -n "__fish_seen_subcommand_from ${name}"`
      const first = `complete -c atrium -f -n "test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from ${name}"`
      return [
        ...(words.length === 0 ? [] : [`${first} -a "${words.join(' ')}"`]),
        ...options.map(option => `${behind} -l ${option.slice(2)}`),
      ]
    })
    .join('\n')}\n`
