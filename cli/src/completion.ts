/** Scripts that let a shell complete commands and options: `source <(atrium completion bash)`. */
import { Failure } from './failure.ts'

export type Described = { name: string; summary: string; options: readonly string[] }

export function completionScript(shell: string | undefined, commands: readonly Described[]): string {
  if (shell === 'bash') return bash(commands)
  if (shell === 'zsh') return zsh(commands)
  if (shell === 'fish') return fish(commands)
  throw new Failure('Usage: atrium completion bash|zsh|fish', 'usage')
}

const bash = (commands: readonly Described[]): string => `_atrium() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "$command" in
${commands.map(({ name, options }) => `    ${name}) [[ "$current" == -* ]] && COMPREPLY=($(compgen -W "${options.join(' ')}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _atrium atrium
`

const zsh = (commands: readonly Described[]): string => `#compdef atrium
_atrium() {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", '’')}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(({ name, options }) => `    ${name}) [[ "$words[CURRENT]" == -* ]] && compadd -- ${options.join(' ')} || _files ;;`).join('\n')}
  esac
}
compdef _atrium atrium
`

const fish = (commands: readonly Described[]): string =>
  `complete -c atrium -f -n __fish_use_subcommand -a "${commands.map(({ name }) => name).join(' ')}"\n${commands
    .flatMap(({ name, options }) =>
      options.map(
        option => `complete -c atrium -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}`,
      ),
    )
    .join('\n')}\n`
