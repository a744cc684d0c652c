import { type EffectRow, has, letters } from './effect-row.ts'

/** `git [options] push …` → what follows the options, without them. */
export function gitCall(words: readonly string[]): { name: string; rest: readonly string[] } {
  let at = 0
  while (words[at]?.startsWith('-'))
    at += /^(-c|-C|--git-dir|--work-tree|--namespace)$/.test(words[at] as string) ? 2 : 1
  return { name: words[at] ?? '', rest: words.slice(at + 1) }
}

const COMMANDS: Readonly<Record<string, (rest: readonly string[]) => boolean>> = {
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
  branch: has(/^-[a-zA-Z]*[DMCf]|^--force$/),
  stash: rest => /^(drop|clear)$/.test(rest[0] ?? ''),
  reflog: rest => /^(expire|delete)$/.test(rest[0] ?? ''),
  'filter-branch': () => true,
  'filter-repo': () => true,
  'update-ref': has(/^-d$/),
  gc: has(/^--prune=(now|all)$/),
  worktree: rest => rest[0] === 'remove' && has(/^(-f|--force)$/)(rest),
}

export const GRAVE_GIT: EffectRow = {
  program: /^git$/,
  when: words => COMMANDS[gitCall(words).name]?.(gitCall(words).rest) ?? false,
  does: 'throws work away or rewrites history',
  tier: 'grave',
  examples: {
    matches: [
      'git push --force',
      'git push origin +main',
      'git push origin :old',
      'git -C app reset --hard',
      'git clean -fdx',
      'git checkout -- src',
      'git switch --discard-changes main',
      'git restore src',
      'git branch -D old',
      'git stash drop',
      'git reflog expire --all',
      'git filter-branch',
      'git filter-repo --path x',
      'git update-ref -d refs/heads/a',
      'git gc --prune=now',
      'git worktree remove -f ../b',
    ],
    spares: [
      'git push',
      'git reset src',
      'git clean -n',
      'git checkout main',
      'git switch main',
      'git restore --staged src',
      'git branch new',
      'git stash list',
      'git reflog',
      'git gc',
      'git worktree remove ../b',
    ],
  },
}
