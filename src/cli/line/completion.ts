import { flagOf, rowOf, SETTING_NAMES } from '../../config/env.ts'
import type { CommandOption, CommandRow } from './command-row.ts'
import { COMMANDS } from './commands.ts'

/** Shells for which there is a completion script. */
export const COMPLETED_SHELLS = ['bash', 'zsh', 'fish'] as const
export type CompletedShell = (typeof COMPLETED_SHELLS)[number]

const PROGRAM = 'interactive-terminal'
const FUNCTION = '_interactive_terminal'

/** What a shell reads to complete commands, their words and options: made of the table of commands, so it knows each of them. */
export function completionScript(shell: CompletedShell): string {
  switch (shell) {
    case 'bash':
      return bash()
    case 'zsh':
      return zsh()
    case 'fish':
      return fish()
  }
}

/** `completion <shell>`: the command line has looked that it is one of them. */
export function completionCommand([word]: readonly string[]): number {
  const shell = COMPLETED_SHELLS.find(each => each === word)
  if (shell) process.stdout.write(completionScript(shell))
  return 0
}

const wordsOf = ({ verbs = [], choices = [] }: CommandRow): readonly string[] => [...verbs, ...choices]
const optionsOf = ({ options }: CommandRow): readonly CommandOption[] => [
  ...options,
  { name: 'help', value: null, sentence: 'says more about this command' },
]
/** Settings are options of every command. */
const SETTINGS: readonly CommandOption[] = SETTING_NAMES.map(name => ({
  name: flagOf(name),
  value: 'value',
  sentence: rowOf(name).sentence,
}))

function bash(): string {
  const rows = COMMANDS.map(row => {
    const words = [...wordsOf(row), ...optionsOf(row).map(({ name }) => `--${name}`)]
    return `    ${row.name}) words=${quoted(words.join(' '))} ;;`
  })

  return `# bash completion for ${PROGRAM}: source <(${PROGRAM} completion bash)
${FUNCTION}() {
  local current=\${COMP_WORDS[COMP_CWORD]} command= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in -*) ;; *) command=\${COMP_WORDS[i]}; break ;; esac
  done
  case $command in
    '') words=${quoted([...COMMANDS.map(({ name }) => name), '--help', '--version'].join(' '))} ;;
${rows.join('\n')}
  esac
  case $current in --*) words="$words ${SETTINGS.map(({ name }) => `--${name}`).join(' ')}" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${FUNCTION} ${PROGRAM}
`
}

/** As _describe reads it. */
const described = (name: string, sentence: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${oneLine(sentence)}`)

function zsh(): string {
  const rows = COMMANDS.map(row => {
    const options = optionsOf(row).map(({ name, sentence }) => described(`--${name}`, sentence))
    return `    ${row.name}) choices=(${wordsOf(row).map(quoted).join(' ')}); options=(${options.join(' ')}) ;;`
  })

  return `#compdef ${PROGRAM}
# zsh completion for ${PROGRAM}: source <(${PROGRAM} completion zsh), behind compinit
${FUNCTION}() {
  local -a commands choices options settings
  commands=(${COMMANDS.map(({ name, sentence }) => described(name, sentence)).join('\n    ')})
  settings=(${SETTINGS.map(({ name, sentence }) => described(`--${name}`, sentence)).join('\n    ')})
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${rows.join('\n')}
    *) options=('--help:says more' '--version:the version') ;;
  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe option options
    [[ $words[CURRENT] == --* ]] && _describe setting settings
  elif ((\${#choices})); then
    compadd -a choices
  else
    _files
  fi
}
if [[ \${funcstack[1]} == ${FUNCTION} ]]; then ${FUNCTION} "$@"; else compdef ${FUNCTION} ${PROGRAM}; fi
`
}

function fish(): string {
  const line = (condition: string, rest: string) => `complete -c ${PROGRAM} -n ${quoted(condition)} ${rest}`
  const option = (condition: string, { name, value, sentence }: CommandOption) =>
    line(condition, `-l ${name}${value === null ? '' : ' -x'} -d ${quoted(oneLine(sentence))}`)
  const rows = COMMANDS.flatMap(row => {
    const after = `__fish_seen_subcommand_from ${row.name}`
    const words = wordsOf(row)
    return [
      line('__fish_use_subcommand', `-a ${row.name} -d ${quoted(oneLine(row.sentence))}`),
      ...(words.length === 0 ? [] : [line(after, `-a ${quoted(words.join(' '))}`)]),
      ...optionsOf(row).map(each => option(after, each)),
    ]
  })

  return `# fish completion for ${PROGRAM}: ${PROGRAM} completion fish | source
complete -c ${PROGRAM} -f
${rows.join('\n')}
${SETTINGS.map(each => `complete -c ${PROGRAM} -l ${each.name} -x -d ${quoted(oneLine(each.sentence))}`).join('\n')}
`
}

/** In quotes that all three shells read alike: none of our sentences may end them. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`
const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
