import { type ArgWords, type EffectRow, has, listed, named, operandsOf } from './effect-row.ts'
import { gitCall } from './grave-git.ts'

const CHANGES_DATA =
  /\b(?:insert\s+(?:or\s+\w+\s+|ignore\s+)?into|replace\s+into|update\s+[\w."`]+\s+(?:as\s+\w+\s+)?set|delete\s+from|merge\s+into|(?:create|alter|drop)\s+(?:unique\s+)?(?:table|index|view|database|schema|user|role|function|trigger)|truncate|grant|revoke|vacuum|(?:insert|update|delete|replace)(?:One|Many))\b/i
const givesData = (words: ArgWords): boolean => CHANGES_DATA.test(words.join(' '))

const git =
  (call: RegExp, rest: (words: ArgWords) => boolean = () => true) =>
  (words: ArgWords) => {
    const found = gitCall(words)
    return call.test(found.name) && rest(found.rest)
  }
const stash = (call: RegExp) => git(/^stash$/, rest => call.test(rest.find(word => !word.startsWith('-')) ?? 'push'))

/** `xzf`, `-xzf`, `--extract`: the first word may go without its dash. */
const tarDoes = (letter: string, long: string) => (words: ArgWords) =>
  words.some((word, i) => word === long || new RegExp(`^-[a-zA-Z]*${letter}`).test(i === 0 ? dashed(word) : word))
const dashed = (word: string): string => word.replace(/^-?/, '-')
const archiveIn = (words: ArgWords): string | undefined => {
  const at = words.findIndex((word, i) => word === '--file' || /^-[a-zA-Z]*f$/.test(i === 0 ? dashed(word) : word))
  return at < 0 ? words.map(word => /^--file=(.+)$/.exec(word)?.[1]).find(Boolean) : words[at + 1]
}

const moved = (words: ArgWords): string => {
  const at = words.findIndex(word => /^(?:-t|--target-directory)$/.test(word))
  const given = at < 0 ? words.map(word => /^--target-directory=(.+)$/.exec(word)?.[1]).find(Boolean) : words[at + 1]
  const all = operandsOf(words, '-t --target-directory -S --suffix')
  const from = given === undefined ? all.slice(0, -1) : all
  return `moves ${listed(from, 'files')} to ${named(given ?? all.at(-1) ?? '')}`
}

/** What changes files, the repository or a database where it runs, in words for whoever decides. */
export const CHANGES_HERE: readonly EffectRow[] = [
  {
    program: /^mv$/,
    when: words => operandsOf(words).length > 1,
    does: moved,
    tier: 'none',
    reaches: 'writes',
    examples: { matches: ['mv a b', 'mv -t dir a b'], spares: ['mv', 'mv a', 'mv --help'] },
  },
  {
    program: /^(b?sd)?tar$/,
    when: tarDoes('x', '--extract'),
    does: words => `unpacks ${named(archiveIn(words) ?? 'an archive')}`,
    tier: 'none',
    reaches: 'writes',
    examples: { matches: ['tar xf a.tar', 'tar -xzf a.tgz -C ../x', 'tar --extract --file=a'], spares: ['tar tf a'] },
  },
  {
    program: /^(b?sd)?tar$/,
    when: tarDoes('c', '--create'),
    does: words => `packs into ${named(archiveIn(words) ?? 'an archive')}`,
    tier: 'none',
    reaches: 'writes',
    examples: { matches: ['tar czf a.tgz src', 'tar -cf a.tar .'], spares: ['tar xf a.tar', 'tar -tf c.tar'] },
  },
  {
    program: /^(unzip|7z|gunzip|bunzip2|unxz|unrar)$/,
    when: words => operandsOf(words).length > 0 && !has(/^-[a-z]*[lptvZ]/)(words) && !has(/^[al]$/)(words),
    does: words =>
      `unpacks ${listed(
        operandsOf(words, '-d')
          .filter(word => word !== 'x')
          .slice(0, 1),
        'an archive',
      )}`,
    tier: 'none',
    reaches: 'writes',
    examples: { matches: ['unzip a.zip', '7z x a.7z', 'gunzip a.gz'], spares: ['unzip -l a.zip', '7z l a.7z'] },
  },
  {
    program: /^git$/,
    when: git(/^(commit|merge|rebase|cherry-pick|revert|am)$/, rest => !has(/^--(abort|quit)$/)(rest)),
    does: 'records a commit and runs the hooks of the repository',
    tier: 'none',
    reaches: 'writes',
    examples: {
      matches: ['git commit -m a', 'git -C app commit', 'git rebase main', 'git cherry-pick a1b2c3'],
      spares: ['git log', 'git commit --dry-run', 'git rebase --abort'],
    },
  },
  {
    program: /^git$/,
    when: stash(/^(push|save|create|store)$/),
    does: 'puts what is not committed aside, to be taken back with "git stash pop"',
    tier: 'none',
    reaches: 'writes',
    examples: {
      matches: ['git stash', 'git stash -u', 'git stash push -m a'],
      spares: ['git stash list', 'git status'],
    },
  },
  {
    program: /^git$/,
    when: stash(/^(pop|apply|branch)$/),
    does: 'brings back what was put aside',
    tier: 'none',
    reaches: 'writes',
    examples: { matches: ['git stash pop', 'git stash apply stash@{0}'], spares: ['git stash show', 'git stash'] },
  },
  {
    program: /^git$/,
    when: stash(/^(drop|clear)$/),
    does: 'throws away what was put aside',
    tier: 'none',
    reaches: 'deletes',
    examples: { matches: ['git stash drop', 'git stash clear'], spares: ['git stash list'] },
  },
  {
    program: /^git$/,
    when: git(/^(checkout|switch)$/, rest => !rest.includes('--') && !has(/^(-[bBc]|--create|--orphan|\.)$/)(rest)),
    does: 'changes files to those of another commit',
    tier: 'none',
    reaches: 'writes',
    examples: { matches: ['git checkout main', 'git switch -'], spares: ['git checkout -b new', 'git checkout -- a'] },
  },
  {
    program: /^git$/,
    when: words =>
      git(/^restore$/, rest => !rest.includes('--staged') || rest.includes('--worktree'))(words) ||
      git(/^checkout$/, rest => rest.includes('--') || rest.includes('.'))(words) ||
      git(/^reset$/, has(/^--(hard|merge|keep)$/))(words),
    does: 'throws away changes that are not committed',
    tier: 'none',
    reaches: 'deletes',
    examples: {
      matches: ['git restore a', 'git checkout -- a', 'git reset --hard'],
      spares: ['git restore --staged a', 'git reset a', 'git checkout main'],
    },
  },
  {
    program: /^git$/,
    when: git(/^(add|stage|reset|apply|mv|tag|init|branch|worktree|config|restore|checkout|switch)$/, rest =>
      rest.some(word => !/^(-l|-v|-vv|-a|-r|--list|--show-current|list|--get\S*|--check|--stat)$/.test(word)),
    ),
    does: words => `changes the repository (git ${gitCall(words).name})`,
    tier: 'none',
    reaches: 'writes',
    examples: {
      matches: ['git add .', 'git tag v1', 'git branch new', 'git mv a b', 'git checkout -b new'],
      spares: ['git branch', 'git branch -a', 'git tag -l', 'git diff', 'git config --list'],
    },
  },
  {
    program: /^(psql|mysql|mariadb|mongo|mongosh|sqlcmd|clickhouse-client|cockroach)$/,
    when: givesData,
    does: 'changes data of the database',
    tier: 'none',
    reaches: 'shared_data',
    examples: {
      matches: [
        'psql -c "UPDATE users SET a = 1"',
        'mysql -e "INSERT INTO a VALUES (1)" shop',
        'psql -c "delete from a where b = 1"',
        'mongosh --eval "db.a.insertOne({})"',
      ],
      spares: ['psql -c "select updated from a"', 'mysql -e "show tables"', 'psql shop'],
    },
  },
  {
    program: /^(sqlite3|duckdb)$/,
    when: givesData,
    does: words => `changes data in ${named(operandsOf(words)[0] ?? 'the database')}`,
    tier: 'none',
    reaches: 'writes',
    examples: {
      matches: ['sqlite3 a.db "UPDATE users SET a = 1"', 'duckdb a.db "create table b (c int)"'],
      spares: ['sqlite3 a.db "select 1"', 'sqlite3 a.db .tables'],
    },
  },
]
