import type { Hazard, Inspector } from '../model/option-model.ts'
import { HELP, nothingButHelp, type ToolTable, tools } from '../model/tool-model.ts'
import { leavesProject } from './project-paths.ts'

/** Shells, interpreters and editors: whatever they are given, they run. A wildcard on them would be a wildcard on everything. */
const CODE = 'runs any code'

/**
 * A program that runs a script: the words up to and including the script must be spelled out; what follows the script
 * belongs to the script. `modes` are options that need no script of their own (`python -m pytest`, `node --test`).
 */
function interpreter(
  modes: { readonly withModule?: string; readonly alone?: readonly string[]; readonly version?: RegExp },
  inspectModule?: Inspector,
): Inspector {
  return (argv, start) => {
    const words = argv.slice(start)
    if (words.length === 1 && (modes.version ?? HELP).test(words[0] as string)) return []
    if (words.length === 0) return [{ at: argv.length, why: CODE }]

    const hazards: Hazard[] = []
    for (let at = start; at < argv.length; at += 1) {
      const word = argv[at] as string
      const mode = modes.withModule === word || modes.alone?.includes(word)
      hazards.push({ at, why: CODE, ...(mode ? { kind: 'choice' as const } : {}) })
      if (modes.withModule === word) {
        if (at + 1 < argv.length) hazards.push({ at: at + 1, why: CODE, kind: 'choice' })
        return [...hazards, ...(inspectModule?.(argv, at + 1) ?? [])]
      }
      if (modes.alone?.includes(word))
        return [
          ...hazards,
          ...argv.slice(at + 1).flatMap((later, i) => {
            const option =
              later.startsWith('-') &&
              !/^--test(-(name-pattern|only|reporter=(spec|tap|dot)|timeout|concurrency|skip-pattern|shard|force-exit))/.test(
                later,
              )
            return option || leavesProject(later) ? [{ at: at + 1 + i, why: CODE }] : []
          }),
        ]
      if (!word.startsWith('-')) return hazards
    }
    return hazards
  }
}

export function runtimes(inspectPythonModule: Inspector): ToolTable {
  return {
    ...tools('sh bash dash zsh ksh mksh ash csh tcsh fish pwsh powershell cmd nu elvish xonsh rbash', {
      globs: 'nowhere',
      inspect: interpreter({}),
    }),

    ...tools('python python2 python3 pypy pypy3', {
      globs: 'after_text',
      inspect: interpreter({ withModule: '-m', version: /^(--version|--help|-V|-VV|-h)$/ }, inspectPythonModule),
    }),
    ...tools('node nodejs', {
      globs: 'after_text',
      inspect: interpreter({ alone: ['--test', '--check', '-c'], version: /^(--version|--help|-v|-h)$/ }),
    }),

    ...tools(
      'perl ruby php lua luajit tclsh wish osascript Rscript R julia java groovy scala kotlin ghci irb ipython jshell guile racket sbcl clojure erl elixir iex swift raku ts-node tsx jjs awk-script expect m4 bc dc gnuplot octave',
      {
        globs: 'nowhere',
        inspect: interpreter({ version: /^(--version|--help|-v|-version)$/ }),
      },
    ),
    ...tools('deno', { globs: 'nowhere', inspect: inspectDeno }),

    ...tools(
      'vi vim nvim view ex ed emacs emacsclient nano pico joe micro helix hx code subl gedit',
      nothingButHelp('is an editor: it writes files and runs commands'),
    ),
    ...tools(
      'psql mysql mariadb sqlite3 mongo mongosh redis-cli ftp sftp telnet nc ncat netcat socat gdb lldb pry screen tmux',
      nothingButHelp('takes commands of its own, some of which run programs'),
    ),
  }
}

/** Its checks stay in the project unless a permission, a configuration or an address from elsewhere comes along. */
const inspectDeno: Inspector = (argv, start) => {
  const words = argv.slice(start)
  if (words.length === 1 && /^(--version|--help|-V|-h)$/.test(words[0] ?? '')) return []
  const checks = /^(?:test|lint|check|fmt|doc|info|bench|types)$/.test(words[0] ?? '')
  const why = checks ? 'lets it reach further, or brings in code from elsewhere' : CODE
  return words.flatMap((word, i) => {
    const harmless =
      /^(?:--check|--quiet|-q|--json|--fail-fast|--no-run|--filter=.*|--parallel|--allow-read|--allow-env|--unstable.*)$/.test(
        word,
      )
    const reaches = i > 0 && !harmless && (/^-/.test(word) || /^[a-z]+:/i.test(word) || leavesProject(word))
    return i === 0 ? [{ at: start, why, kind: 'choice' as const }] : !checks || reaches ? [{ at: start + i, why }] : []
  })
}
