import { Effort } from './effort.ts'
import type { RoughCommand } from './rough-command.ts'
import { roughScan } from './rough-scan.ts'
import { isShell, programName, unwrap } from './unwrap.ts'

/**
 * Commands that are hard to undo (SPEC D17): a person may want them, but never without being asked, so no rule covers
 * them. Works on the words of every command in the line, wrappers taken off.
 */
export function grave(scanned: readonly RoughCommand[], effort: Effort): string | null {
  for (const command of scanned) {
    if (effort.spent) return null
    const found = graveCommand(command.argv, effort)
    if (found) return found
    const from = programName(command.pipedFrom?.argv[0] ?? '')
    if (
      /^(?:curl|wget|fetch|base64|xxd|openssl)$/.test(from) &&
      unwrap(command.argv, effort).commands.some(([program = '']) => isShell(program))
    )
      return 'it runs what it downloads or decodes'
  }
  return null
}

export function graveCommand(argv: readonly string[], effort = new Effort(), depth = 0): string | null {
  const { commands, scripts } = unwrap(argv, effort)
  for (const words of commands) {
    const found = graveArgv(words)
    if (found) return found
  }
  if (depth > 3) return null
  for (const text of scripts) {
    for (const { argv: inner } of roughScan(text, effort)) {
      if (effort.spent) return null
      const found = graveCommand(inner, effort, depth + 1)
      if (found) return found
    }
  }
  return null
}

function graveArgv(argv: readonly string[]): string | null {
  const [program = '', ...words] = argv
  const name = programName(program).replace(/\.exe$/i, '')
  if (words.some(word => /^(--help|--version|-\?|\/\?|--dry-run(=.*)?)$/.test(word))) return null
  for (const rule of GRAVE) {
    if (!rule.program.test(name)) continue
    if (rule.when ? rule.when(words) : true) return `${name} ${rule.why}`
  }
  return null
}

interface GraveRule {
  readonly program: RegExp
  readonly when?: (words: readonly string[]) => boolean
  readonly why: string
}

const has = (pattern: RegExp) => (words: readonly string[]) => words.some(word => pattern.test(word))
const letters = (set: string): RegExp => new RegExp(`^-[a-zA-Z]*[${set}]`)
const first = (pattern: RegExp) => (words: readonly string[]) =>
  pattern.test(words.find(word => !word.startsWith('-')) ?? '')

/** `git [options] push …` → what stands behind the options, without them. */
function gitCall(words: readonly string[]): { name: string; rest: readonly string[] } {
  let at = 0
  while (words[at]?.startsWith('-'))
    at += /^(-c|-C|--git-dir|--work-tree|--namespace)$/.test(words[at] as string) ? 2 : 1
  return { name: words[at] ?? '', rest: words.slice(at + 1) }
}

const GRAVE_GIT: Readonly<Record<string, (rest: readonly string[]) => boolean>> = {
  push: rest =>
    rest.some(
      word =>
        /^(--force|--force-with-lease|--force-if-includes|--mirror|--delete|--prune)(=|$)/.test(word) ||
        letters('fd').test(word) ||
        /^[+:]./.test(word),
    ),
  reset: has(/^--(hard|merge|keep)$/),
  clean: rest => has(/^--force$|^-[a-zA-Z]*f/)(rest) && !has(/^--dry-run$|^-[a-zA-Z]*n/)(rest),
  checkout: rest => has(/^(-f|--force|\.)$/)(rest) || (rest.includes('--') && !rest.includes('--staged')),
  switch: has(/^(-f|--force|--discard-changes)$/),
  restore: rest =>
    rest.some(word => !word.startsWith('-')) && (!rest.includes('--staged') || rest.includes('--worktree')),
  branch: rest => has(/^-[a-zA-Z]*[DM]/)(rest) || (has(/^(-d|--delete)$/)(rest) && has(/^(-f|--force)$/)(rest)),
  stash: rest => /^(drop|clear)$/.test(rest[0] ?? ''),
  reflog: rest => /^(expire|delete)$/.test(rest[0] ?? ''),
  'filter-branch': () => true,
  'filter-repo': () => true,
  'update-ref': has(/^-d$/),
  gc: has(/^--prune=(now|all)$/),
  worktree: rest => rest[0] === 'remove' && has(/^(-f|--force)$/)(rest),
}

/** `find -name '-delete'` looks for such a file. */
function withoutTestValues(words: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    kept.push(words[at] as string)
    if (
      /^-(?:i?(?:name|path|wholename|lname|regex)|newer\w*|samefile|user|group|type|printf)$/.test(words[at] as string)
    )
      at += 1
  }
  return kept
}

const SQL =
  /\b(?:drop\s+(?:table|database|schema|index|view|user|role|collection)|truncate\s+(?:table\s+)?\w|delete\s+from\s+\w+\s*;?\s*$|dropDatabase|flushall|flushdb)\b/i

const GRAVE: readonly GraveRule[] = [
  {
    program: /^rm$/,
    when: words =>
      has(/^--recursive$/)(words) || words.some(word => letters('rR').test(word) && !word.startsWith('--')),
    why: 'deletes whole directories',
  },
  { program: /^(rmdir|rd|del|erase)$/i, when: has(/^\/s$/i), why: 'deletes whole directories' },
  { program: /^(shred|srm|wipe)$/, why: 'makes files unrecoverable' },
  { program: /^truncate$/, why: 'cuts files off' },
  {
    program: /^dd$/,
    when: has(/^of=(?:\/(?!dev\/(?:null|stdout)$|tmp\/)|.*\.\.|~|\$)/),
    why: 'overwrites what it is told',
  },
  {
    program: /^find$/,
    when: words => {
      const asked = withoutTestValues(words)
      return (
        asked.includes('-delete') ||
        asked.some(
          (word, i) => /^-(exec|execdir|ok|okdir)$/.test(word) && /^(.*\/)?(rm|shred|unlink)$/.test(asked[i + 1] ?? ''),
        )
      )
    },
    why: 'deletes what it finds',
  },
  { program: /^(shutdown|reboot|halt|poweroff)$/i, when: words => !words.includes('-c'), why: 'stops the machine' },
  { program: /^(init|telinit)$/, when: has(/^[016]$/), why: 'stops the machine' },
  {
    program: /^systemctl$/,
    when: first(/^(reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|isolate|mask|disable|stop)$/),
    why: 'stops the machine or a service',
  },
  { program: /^(stop|restart)-computer$/i, why: 'stops the machine' },
  {
    program: /^kill$/,
    when: words =>
      words.slice(words.some(word => /^-(\d+|[A-Z]+|s|n)$/.test(word) && word !== '-1') ? 1 : 0).includes('-1') ||
      words.at(-1) === '-1' ||
      words.includes('1'),
    why: 'ends every process',
  },
  { program: /^killall5$/, why: 'ends every process' },
  {
    program: /^git$/,
    when: words => GRAVE_GIT[gitCall(words).name]?.(gitCall(words).rest) ?? false,
    why: 'throws work away or rewrites history',
  },
  {
    program: /^(psql|mysql|mariadb|sqlite3|mongo|mongosh|redis-cli|sqlcmd|clickhouse-client|cockroach|duckdb)$/,
    when: words => SQL.test(words.join(' ')),
    why: 'drops data',
  },
  { program: /^(dropdb|dropuser)$/, why: 'drops a database' },
  { program: /^(kubectl|oc)$/, when: first(/^(delete|drain|replace)$/), why: 'deletes in the cluster' },
  { program: /^helm$/, when: first(/^(uninstall|delete|rollback)$/), why: 'removes a release' },
  {
    program: /^(terraform|tofu|pulumi|terragrunt|cdk)$/,
    when: words => first(/^(destroy|taint)$/)(words) || has(/^--?auto-approve$/)(words),
    why: 'changes real infrastructure',
  },
  {
    program: /^(docker|podman)$/,
    when: words => words.includes('prune') || /\b(volume rm|system prune|swarm leave)\b/.test(words.join(' ')),
    why: 'removes data of containers',
  },
  {
    program: /^(docker-compose|docker|podman)$/,
    when: words => words.includes('down') && words.some(word => /^(-v|--volumes)$/.test(word)),
    why: 'removes volumes',
  },
  {
    program: /^aws$/,
    when: words => /\b(rm|rb)\b.*(--recursive|--force)|\b(delete|terminate)-/.test(words.join(' ')),
    why: 'deletes in the cloud',
  },
  {
    program: /^(gcloud|az|heroku|fly|flyctl|doctl|vercel|gsutil)$/,
    when: words => /\b(delete|destroy|remove|rm|purge)\b|:destroy\b/.test(words.join(' ')),
    why: 'deletes in the cloud',
  },
  {
    program: /^gh$/,
    when: words => /\b(repo|release|secret|run|issue|codespace|gist) delete\b/.test(words.join(' ')),
    why: 'deletes on the server',
  },
  { program: /^(npm|yarn|pnpm)$/, when: first(/^(publish|unpublish|deprecate)$/), why: 'publishes for everybody' },
  {
    program: /^(cargo|gem|twine|poetry|uv)$/,
    when: first(/^(publish|yank|push|upload)$/),
    why: 'publishes for everybody',
  },
  {
    program: /^(apt|apt-get|dnf|yum|zypper|apk)$/,
    when: first(/^(remove|purge|autoremove|erase|dist-upgrade|del)$/),
    why: 'removes system packages',
  },
  { program: /^pacman$/, when: has(/^-R/), why: 'removes system packages' },
  { program: /^crontab$/, when: has(/^-[a-z]*r/), why: 'deletes the timetable' },
  { program: /^(userdel|deluser|groupdel|passwd|visudo|chpasswd)$/, why: 'changes who may log in' },
  { program: /^(iptables|ip6tables|nft)$/, when: has(/^(-F|--flush|-X|flush)$/), why: 'opens the firewall' },
  { program: /^ufw$/, when: first(/^(disable|reset)$/), why: 'opens the firewall' },
  {
    program: /^(chmod|chown|chgrp)$/,
    when: words =>
      words.some(word => letters('R').test(word) && !word.startsWith('--')) &&
      words.some(word => /^(0?777|000|a\+rwx)$/.test(word)),
    why: 'changes the rights of everything',
  },
  {
    program:
      /^(fdisk|parted|sgdisk|sfdisk|wipefs|cryptsetup|mkfs(?:\.(?!(?:sh|py|rb|pl|[cm]?[jt]s|md|txt)$)\w+)?|mkswap|lvremove|vgremove|pvremove|zpool|mdadm)$/,
    when: words => !has(/^(-l|--list|-d|--dump|list|status|--detail|--examine)$/)(words),
    why: 'changes disks',
  },
  { program: /^rsync$/, when: has(/^--del/), why: 'deletes on the other side' },
  { program: /^history$/, when: has(/^-[cd]/), why: 'deletes the history' },
  { program: /^reg$/i, when: first(/^delete$/i), why: 'deletes from the registry' },
]
