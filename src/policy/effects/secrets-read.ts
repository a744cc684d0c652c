import { isShell, programName } from '../destructive/unwrap.ts'
import { isSecretPath } from '../reads/secret-files.ts'
import { wildcardStandsForSecret } from '../reads/words-problem.ts'
import { type ArgWords, operandsOf } from './effect-row.ts'
import { writeTargets } from './write-targets.ts'

/** They name files without reading what is in them, or have nothing but names. */
const READS_NOTHING =
  /^(?:rm|rmdir|unlink|rimraf|shred|truncate|touch|mkdir|mktemp|ls|dir|tree|chmod|chown|chgrp|chattr|echo|printf|test|\[|\[\[|stat|cd|pushd|popd|which|type|dirname|basename|realpath|readlink|ln|find|fd|fdfind|du|kill|pkill|ssh|ssh-keygen|ssh-copy-id|apt|apt-get|brew|dnf|export|unset|eval|case|for|select|function)$/i
/** What is behind them is looked at as a command of its own. */
const WRAPS =
  /^(?:sudo|doas|run0|pkexec|env|nice|ionice|chrt|taskset|nohup|setsid|time|timeout|stdbuf|unbuffer|command|builtin|exec|xargs|parallel|watch|strace|ltrace|flock|gosu|su-exec|cpulimit|fakeroot|firejail|busybox|toybox)$/
/** All of their plain words are files, so that one without a dot or a slash is one too. */
const NAMES_FILES =
  /^(?:cat|bat|tac|less|more|most|head|tail|nl|cp|mv|scp|sftp|rsync|tar|zip|gzip|bzip2|xz|zstd|7z|base64|base32|xxd|od|hexdump|strings|source|\.|vim?|nvim|nano|emacs|code|cut|sort|uniq|wc|paste|diff|cmp|dd|gpg|openssl|type|gc|get-content|copy|xcopy)$/i
/** The first of their plain words says what to look for, or what to do. */
const PATTERN_FIRST = /^(?:[efz]?grep|rg|ag|ack|sed|awk|gawk|mawk|jq|yq)$/
const INTERPRETS = /^(?:node|python\d?(?:\.\d+)?|ruby|perl|php|deno|bun|pwsh|powershell)$/i
const GIT_READS = /^(?:add|stage|show|diff|blame|archive|cat-file|hash-object|stash)$/
/** Directories of the project may be called like the tools whose own hold keys. */
const TOOL = /^(?:ssh|aws|azure|gcloud|gnupg|docker|kube|gh|hub|vault|chamber|password-store)$/i
const LEFT_OUT = /^--?(?:exclude|ignore|skip|without|i?name)(?:-\w+)*$/
const MOST_WORDS = 64
const LONGEST = 512

/** Which words of a command, every layer of it, name what may hold secrets and what it reads: marks, as far as words tell. */
export const secretsRead = (commands: readonly (readonly string[])[]): string[] =>
  commands.flatMap(argv => [...new Set(filesOf(argv).filter(isReadSecret))])

/** A file as it is named; keys to be given away (`.pub`) are none, nor are the variables of a program in its code. */
export function isReadSecret(path: string): boolean {
  if (/\.pub$|^(?:process|meta|import\.meta|Deno|Bun|os)\.env/.test(path) || path.length > LONGEST) return false
  const names = path.split(/[\\/]/)
  const isTold = (name: string, i: number): boolean =>
    isSecretPath(name) && (!TOOL.test(name) || names[i - 1] === '.config')
  return names.some(isTold) || wildcardStandsForSecret(path)
}

function filesOf(argv: readonly string[]): string[] {
  const [program = '', ...all] = argv
  const name = programName(program).replace(/\.exe$/i, '')
  if (READS_NOTHING.test(name) || WRAPS.test(name) || isShell(name)) return []
  const words = all.slice(0, MOST_WORDS)
  if (name === 'git' && !GIT_READS.test(operandsOf(words, '-C -c')[0] ?? '')) return []
  const written = new Set(name === 'mv' ? operandsOf(words).slice(-1) : writtenBy(argv))
  const pattern = PATTERN_FIRST.test(name) ? operandsOf(words)[0] : undefined
  return words
    .filter(
      (word, i) => word !== pattern && !written.has(word) && !LEFT_OUT.test(words[i - 1] ?? '') && !isLeftOut(word),
    )
    .flatMap(word => pathsIn(word, INTERPRETS.test(name)))
    .filter(path => /[./~\\]|^id_/.test(path) || NAMES_FILES.test(name))
}

const isLeftOut = (word: string): boolean => word.startsWith('!') || LEFT_OUT.test(word.replace(/=.*$/s, ''))

const writtenBy = (argv: ArgWords): string[] =>
  writeTargets(argv)
    .filter(({ changes }) => changes === 'content')
    .map(({ path }) => path)

/** `@~/.netrc`, `f=@a`, `HEAD:.env`, `--env-file=.env`; in code of a line what may be a file. An address is none of this machine. */
function pathsIn(word: string, isCode: boolean): string[] {
  if (word.length > LONGEST && !isCode) return []
  if (/^[a-z][\w+.-]*:\/\//i.test(word)) return word.startsWith('file://') ? [word.slice('file://'.length)] : []
  if (/\s/.test(word) && !isCode) return /^(?:[~.]?\/|\.)/.test(word) ? [word] : []
  return word
    .slice(0, LONGEST)
    .split(isCode ? /[\s'"`(),;<>|&=@:{}[\]]+/ : /[=@:,]/)
    .filter(part => part !== '' && !part.startsWith('-'))
}
