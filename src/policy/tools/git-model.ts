import type { Hazard, Inspector, Operand, OptionModel } from '../model/option-model.ts'
import { subcommands, type ToolTable, tools } from '../model/tool-model.ts'
import { DIFF_OPTIONS, GIT_HAZARDS, HAZARDOUS_VALUES, LOG_OPTIONS } from './git-options.ts'

/** What git's subcommands do with their options. A subcommand that is not here is covered only word by word. */
const closed = (options: string, more: Partial<OptionModel> = {}): OptionModel => ({
  options: `${options} --help`,
  unlisted: 'closed',
  values: HAZARDOUS_VALUES,
  ...more,
  hazards: { ...GIT_HAZARDS, ...more.hazards },
})

const RUNNING = 'may run a program or change the repository'

/** `ext::sh -c …` and other transport helpers are programs. */
const noTransports = (operands: readonly Operand[]): Hazard[] =>
  operands
    .filter(({ text }) => /^[A-Za-z0-9+.-]+::|^-|^ssh:\/\/-|^file:/.test(text))
    .map(({ at }) => ({ at, why: 'names a program to transport with' }))

/** `+main:main`; an address has a colon, too. */
const overwritten = (operands: readonly Operand[]): Hazard[] =>
  operands
    .filter(({ text }) => /^\+|:./.test(text.replace(/^[A-Za-z0-9+.-]+:\/\/[^ ]*$|^[\w.-]+@[\w.-]+:[^ ]*$/, '')))
    .map(({ at }) => ({ at, why: 'overwrites a branch here' }))

const REMOTE_OPTIONS =
  '-v -q -4 -6 -j= -n --verbose --quiet --progress --no-progress --dry-run --jobs= --ipv4 --ipv6 --porcelain --tags --no-tags --atomic --no-verify --verify'

/** Subcommands with verbs of their own: only the reading verbs are free, and none at all means reading. */
const verbs =
  (harmless: { readonly verbs: RegExp; readonly options: RegExp; readonly why: string }): Inspector =>
  (argv, start) => {
    const words = argv.slice(start)
    const verb = words.find(word => !word.startsWith('-'))
    const fine =
      (verb === undefined || harmless.verbs.test(verb)) &&
      words.every(word => !word.startsWith('-') || harmless.options.test(word))
    return fine ? [] : words.map((_, i) => ({ at: start + i, why: harmless.why }))
  }

/** `git config name value` writes; a reading option, or a single name, reads. */
const inspectConfig: Inspector = (argv, start) => {
  const words = argv.slice(start)
  const names = words.filter(word => !word.startsWith('-'))
  const reads = words.some(word => /^(--get|--get-all|--get-regexp|--get-urlmatch|-l|--list)$/.test(word))
  const known = words.every(
    word =>
      !word.startsWith('-') ||
      /^(--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|--show-origin|--show-scope|--name-only|-z|--null|--local|--global|--system|--worktree|--type=\w+|--bool|--int|--path|--includes|--all)$/.test(
        word,
      ),
  )
  const verb = names[0] === 'get' || names[0] === 'list'
  // A single name reads, but only a variable has a dot in it: `git config edit` is a verb.
  const variable = names.length === 1 && (names[0] as string).includes('.')
  return known && (reads || verb || variable || names.length === 0)
    ? []
    : words.map((_, i) => ({ at: start + i, why: 'changes the configuration' }))
}

const REF_LISTING =
  '-a -r -v -vv -l -i -q --all --remotes --list --verbose --show-current --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --column? --no-column --color? --no-color --abbrev? --no-abbrev --ignore-case --omit-empty'

const MODELS: Readonly<Record<string, OptionModel | Inspector>> = {
  'log|show|whatchanged|shortlog|reflog show|stash show|rev-list|range-diff': closed(
    `${LOG_OPTIONS} -s -e -q --find-object= --summary --numbered --email --group= -w? --disk-usage? --objects --objects-edge --bisect-vars --header --use-bitmap-index --quiet`,
    { digits: 'allowed' },
  ),
  'reflog|reflog list|reflog exists': closed(LOG_OPTIONS, {
    digits: 'allowed',
    operands: operands =>
      operands
        .slice(0, 1)
        .filter(({ text }) => /^(?:expire|delete|drop)$/.test(text))
        .map(({ at }) => ({ at, why: 'drops what was there before' })),
  }),
  'diff|diff-tree|diff-index|diff-files': closed(
    `${DIFF_OPTIONS} -r --root --always --no-commit-id -v --pretty? --stdin --merge-base`,
    { digits: 'allowed' },
  ),
  status: closed(
    '-s -b -v -u? -z --short --branch --no-branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
  ),
  grep: closed(
    `-a -i -I -r -w -v -h -H -E -G -F -P -n -l -L -z -c -p -W -q -o -e: -A= -B= -C= -m= --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --text --no-textconv --ignore-case --recursive --no-recursive --max-depth= --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --function-context --context= --after-context= --before-context= --max-count= --threads= --and --or --not --all-match --quiet`,
    { hazards: { '-O?': 'runs a pager', '-f=': 'reads another file' }, digits: 'allowed' },
  ),
  blame: closed(
    '-b -L= -l -t -M? -C? -h -c -f -n -s -e -w -p --root --show-stats --reverse= --first-parent --porcelain --line-porcelain --incremental --encoding= --date= --progress --no-progress --abbrev= --show-name --show-number --show-email --score-debug --ignore-rev= --color-lines --color-by-age --minimal --since=',
    { hazards: { '-S= --contents= --ignore-revs-file=': 'reads another file' } },
  ),
  // From a directory below, git takes these files from the top of the repository, and not from where the line is.
  'ls-files': closed(
    '-z -t -v -f -c -d -m -o -i -s -k -u -x= --cached --deleted --modified --others --ignored --stage --killed --directory --eol --empty-directory --no-empty-directory --unmerged --resolve-undo --exclude= --exclude-standard --full-name --error-unmatch --with-tree= --abbrev? --debug --deduplicate --sparse --format=',
    { hazards: { '-X= --exclude-from= --exclude-per-directory=': 'reads another file' } },
  ),
  'ls-tree|show-ref|for-each-ref|name-rev|describe|merge-base|cat-file|count-objects|check-ignore|check-attr|rev-parse|var|symbolic-ref|version':
    {
      options: '--verify --format= --sort=',
      hazards: { ...GIT_HAZARDS, '--filters --web --parseopt': RUNNING },
      values: HAZARDOUS_VALUES,
      unlisted: 'open',
    },
  cherry: closed('-v --verbose --abbrev?'),
  branch: closed(
    `${REF_LISTING} -c -t? -u= --copy --track? --no-track --set-upstream-to= --unset-upstream --create-reflog`,
    {
      hazards: { '-D -d --delete -m --move -M -C -f --force': 'deletes, renames or overwrites a branch' },
    },
  ),
  tag: closed(`${REF_LISTING} -n? -m: -F= -a --annotate --message: --file= --cleanup= --no-sign --create-reflog`, {
    hazards: {
      '-d --delete': 'deletes a tag',
      '-f --force': 'moves a tag',
      '-s -u= --local-user= -v --verify': 'runs a signing program',
    },
  }),
  'ls-remote': closed('-h -t -q -b --heads --branches --tags --refs --quiet --exit-code --get-url --sort= --symref', {
    hazards: { '-o=': 'passes an option to the other side' },
    operands: noTransports,
  }),
  'fetch|remote update': closed(
    `${REMOTE_OPTIONS} -a -k -p -t --all --append --depth= --deepen= --shallow-since= --unshallow --keep --prune --multiple --set-upstream --no-recurse-submodules --show-forced-updates --refetch --auto-maintenance --no-auto-maintenance --no-auto-gc --write-commit-graph --no-write-fetch-head`,
    {
      hazards: {
        '-o=': 'passes an option to the other side',
        '--recurse-submodules?': 'fetches from elsewhere',
        '-f --force -P --prune-tags': 'overwrites branches or tags here',
      },
      operands: operands => [...noTransports(operands), ...overwritten(operands)],
    },
  ),
  pull: closed(
    `${REMOTE_OPTIONS} -a -p -r? --rebase? --no-rebase --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit --stat --no-stat --autostash --no-autostash --all --prune --depth= --unshallow --no-recurse-submodules --set-upstream --allow-unrelated-histories --log? --no-log`,
    {
      hazards: {
        '-s= --strategy= -X= --strategy-option=': 'names a merge program',
        '-S? -o= -e': RUNNING,
        '--recurse-submodules?': 'fetches from elsewhere',
        '-f --force': 'overwrites branches or tags here',
      },
      operands: operands => [...noTransports(operands), ...overwritten(operands)],
    },
  ),
  push: closed(
    `${REMOTE_OPTIONS} -u --set-upstream --all --branches --follow-tags --no-force-with-lease --thin --no-thin --no-recurse-submodules --recurse-submodules= --no-signed`,
    {
      hazards: {
        '-f --force --force-with-lease? --force-if-includes --mirror -d --delete --prune':
          'rewrites or deletes what is on the other side',
        '-o= --push-option= --repo=': 'passes an option to the other side',
      },
      operands: operands => [
        ...noTransports(operands),
        ...operands
          .filter(({ text }) => /^[+:]/.test(text))
          .map(({ at }) => ({ at, why: 'rewrites or deletes what is on the other side' })),
      ],
    },
  ),
  clone: closed(
    '-v -q -n -l -s -b= -o= -j= --verbose --quiet --progress --no-checkout --bare --mirror --branch= --origin= --depth= --shallow-since= --single-branch --no-single-branch --no-tags --jobs= --filter= --sparse --local --no-local --no-hardlinks --no-recurse-submodules',
    {
      hazards: {
        '-u= -c= --recurse-submodules? --recursive? --separate-git-dir= --reference= --remote-submodules': RUNNING,
      },
      operands: noTransports,
    },
  ),
  commit: closed(
    '-a -m: -F= -C= -q -v -n -s -i -o -u? -z --all --message: --file= --reuse-message= --fixup= --squash= --reset-author --short --branch --porcelain --long --null --author= --date= --signoff --no-signoff --trailer= --no-verify --verify --allow-empty --allow-empty-message --cleanup= --no-edit --amend --no-post-rewrite --include --only --untracked-files? --verbose --quiet --dry-run --status --no-status --no-gpg-sign --pathspec-from-file= --pathspec-file-nul',
    {
      hazards: {
        '-S?': 'runs a signing program',
        '-e -c= --reedit-message= -p --patch': 'opens an editor',
        '-t=': 'loads a file',
      },
    },
  ),
  add: closed(
    '-n -v -f -u -A -N --dry-run --verbose --force --update --all --no-all --ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --sparse --renormalize --chmod= --no-warn-embedded-repo --pathspec-from-file= --pathspec-file-nul',
    {
      hazards: { '-i -p --patch -e': 'opens an editor' },
    },
  ),
  rm: closed('-n -r -q --dry-run --cached --ignore-unmatch --quiet --sparse', {
    hazards: { '-f --force': 'deletes changed files' },
  }),
  mv: closed('-n -v -k -f --dry-run --verbose --force --sparse'),
  'checkout|switch': closed(
    '-b= -c= -q -t? -l -d --quiet --progress --no-progress --track? --no-track --detach --orphan= --guess --no-guess --create= --no-overlay --overlay --no-recurse-submodules --ignore-other-worktrees',
    {
      hazards: {
        '-f --force --discard-changes -B= -C= --force-create= --ours --theirs -m --merge --conflict= -p --patch --recurse-submodules?':
          'throws changes away',
      },
    },
  ),
  restore: closed('-s= -q --staged -S --source= --quiet --progress', {
    hazards: { '-W --worktree -p --patch -m --merge': 'throws changes away' },
  }),
  'stash|stash push|stash save': closed(
    '-q -u -a -k -S -m: --quiet --include-untracked --all --keep-index --no-keep-index --staged --message:',
    { hazards: { '-p --patch': 'opens a dialogue' } },
  ),
  'stash list|stash apply|stash pop': closed(`${LOG_OPTIONS} -q --quiet --index`, {
    digits: 'allowed',
  }),
  merge: closed(
    '-n -q -v -m: -F= --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit --stat --no-stat --abort --continue --quit --signoff --log? --no-log --autostash --no-autostash --no-verify --allow-unrelated-histories --progress --verbose --quiet --message:',
    { hazards: { '-s= --strategy= --strategy-option= -X= -S? -e': RUNNING } },
  ),
  'cherry-pick|revert': closed(
    '-n -q -v -x -m= --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit --stat --no-stat -n --abort --continue --quit --skip --mainline= --signoff -s --log? --no-log --autostash --no-verify --allow-unrelated-histories --progress --verbose --quiet -m=',
    {
      hazards: { '--strategy= --strategy-option= -X= -S? -e -F=': RUNNING },
    },
  ),
  rebase: closed(
    '-q -v -n -f --onto= --abort --continue --skip --quit --autostash --no-autostash --autosquash --no-autosquash --quiet --verbose --stat --no-stat --no-verify --verify --signoff --keep-base --fork-point --no-fork-point --committer-date-is-author-date --reset-author-date --update-refs --root',
    {
      hazards: {
        '-x= --exec= -i -s= --strategy= -X= --strategy-option= -S? --edit-todo --rebase-merges? -r?': RUNNING,
      },
    },
  ),
  reset: closed('-q -N --quiet --soft --mixed --no-refresh --refresh --intent-to-add', {
    hazards: { '--hard --merge --keep -p --patch': 'throws changes away' },
  }),
  clean: closed('-n -q --dry-run --quiet -e= --exclude= -d -x -X', { hazards: { '-f --force -i': 'deletes files' } }),
  archive: closed('-l -v --format= --list --verbose --prefix= --worktree-attributes -0 -1 -2 -9', {
    hazards: { '-o= --remote= --add-file=': 'writes a file or calls another machine' },
  }),
  remote: verbs({
    verbs: /^(show|get-url)$/,
    options: /^(-v|--verbose|-n|--all|--push)$/,
    why: 'changes where it fetches from',
  }),
  config: inspectConfig,
  worktree: verbs({ verbs: /^list$/, options: /^(--porcelain|-v|-z|--verbose)$/, why: RUNNING }),
  submodule: verbs({ verbs: /^(status|summary)$/, options: /^(--cached|--recursive|--quiet)$/, why: RUNNING }),
  bisect: verbs({ verbs: /^log$/, options: /^$/, why: RUNNING }),
  notes: verbs({ verbs: /^(list|show)$/, options: /^--ref=/, why: RUNNING }),
  'sparse-checkout': verbs({ verbs: /^list$/, options: /^$/, why: RUNNING }),
  help: {
    hazards: { '-w -i --web --info': 'opens a browser' },
    options: '-a -g -c -v --all --guides --config --man -m --verbose',
    unlisted: 'closed',
  },
  'difftool|mergetool|filter-branch|daemon|instaweb|gui|citool|gitk|send-email|imap-send|hook|shell|credential|p4|svn|cvsimport|http-backend|upload-pack|receive-pack|upload-archive|remote-ext|for-each-repo|maintenance|web--browse|am|fast-import|replace|update-ref|gc|repack|prune|fsmonitor--daemon|request-pull|init':
    (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: RUNNING })),
}

const FREE =
  'log|show|diff|status|grep|blame|ls-files|ls-tree|show-ref|for-each-ref|name-rev|describe|merge-base|cat-file|count-objects|check-ignore|check-attr|rev-parse|rev-list|shortlog|whatchanged|reflog|reflog show|reflog list|reflog exists|range-diff|diff-tree|diff-index|diff-files|branch|tag|remote|config|worktree|submodule|bisect|stash list|stash show|add|commit|fetch|version|help|var'

export const GIT: ToolTable = tools(
  'git',
  subcommands({
    globals: {
      options:
        '--no-pager -P --version --help -h -v --no-optional-locks --literal-pathspecs --no-replace-objects --no-advice --no-lazy-fetch',
      hazards: {
        '-c= --config-env=': 'injects configuration',
        '-C= --git-dir= --work-tree= --namespace= --super-prefix= --bare': 'works on another repository',
        '--exec-path? --html-path --man-path --info-path': 'changes where git finds its programs',
        '-p --paginate': 'runs a pager',
        '--attr-source= --list-cmds=': 'changes what it reads',
      },
      unlisted: 'closed',
    },
    free: FREE,
    stays: 'switch',
    models: MODELS,
    otherwise: { hazards: GIT_HAZARDS, unlisted: 'closed' },
    why: 'is a git subcommand that may change things or run a program',
  }),
)
