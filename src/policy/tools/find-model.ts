import type { Hazard } from '../model/option-model.ts'
import { type ToolTable, tools } from '../model/tool-model.ts'

/** `find` is an expression: tests and actions we know, and nothing else. */
const VALUES = new Set(
  '-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -user -group -uid -gid -perm -links -inum -samefile -fstype -printf -used -newermt -newerat -newerct -newermm -newerBt -D'.split(
    ' ',
  ),
)
const FLAGS = new Set(
  '-print -print0 -ls -prune -quit -empty -readable -writable -executable -true -false -depth -d -mount -xdev -follow -daystart -noleaf -nouser -nogroup -ignore_readdir_race -noignore_readdir_race -warn -nowarn -not -and -or -a -o -L -P -H -E -X -O1 -O2 -O3 --help --version -help -version'.split(
    ' ',
  ),
)
const ACTIONS: Readonly<Record<string, string>> = {
  '-exec': 'runs a program',
  '-execdir': 'runs a program',
  '-ok': 'runs a program',
  '-okdir': 'runs a program',
  '-delete': 'deletes files',
  '-fprint': 'writes a file',
  '-fprint0': 'writes a file',
  '-fprintf': 'writes a file',
  '-fls': 'writes a file',
}

export const FIND: ToolTable = tools('find gfind', {
  globs: 'after_text',
  inspect: (argv, start) => {
    const hazards: Hazard[] = []
    for (let at = start; at < argv.length; at += 1) {
      const word = argv[at] as string
      if (VALUES.has(word)) at += 1
      else if (word.startsWith('-') && !FLAGS.has(word))
        hazards.push({ at, why: ACTIONS[word] ?? 'is no part of find we know' })
    }
    return hazards
  },
})
