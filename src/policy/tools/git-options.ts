/** Option lists that several git subcommands share. All of them only choose what is read and how it is printed. */

export const DIFF_OPTIONS = `-p -u -s --patch --no-patch -U= --unified= --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience --histogram
  --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat -X? --dirstat? --cumulative --dirstat-by-file? --summary -z --name-only --name-status --color? --no-color
  --color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev -B? --break-rewrites?
  -M? --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l= --diff-filter= -S: -G: --pickaxe-all --pickaxe-regex -R --relative? --no-relative -a --text
  --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I= --ignore-matching-lines= --inter-hunk-context= -W --function-context --exit-code --quiet
  --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --output-indicator-new= --output-indicator-old= --output-indicator-context= --ita-invisible-in-index --ita-visible-in-index --cached --staged --merge-base --no-index -1 -2 -3 -0 --base --ours --theirs
  -c --cc -m -t --diff-merges= --combined-all-paths --remerge-diff --dd --no-diff-merges`

export const LOG_OPTIONS = `${DIFF_OPTIONS} --follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --mailmap --use-mailmap --no-mailmap --full-diff --log-size -L= -n= --max-count= --skip= --since= --after= --until= --before=
  --since-as-filter= --max-age= --min-age= --author: --committer= --grep-reflog= --grep: --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty
  --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog
  --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges
  --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --standard-notes --no-standard-notes
  --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --count --timestamp -r --root --always --no-commit-id`

/** Options that every git subcommand with a pager or a program behind it may have. */
export const GIT_HAZARDS: Readonly<Record<string, string>> = {
  '--output= --output-directory=': 'writes a file',
  '--ext-diff --textconv': 'runs a program from the configuration',
  '--upload-pack= --receive-pack= --exec= --server-option=': 'names a program to run on the other side',
  '--show-signature --gpg-sign? --sign --signed? --verify-signatures': 'runs a signing program',
  '--open-files-in-pager?': 'runs a pager',
  '--template= --config= --config-env= --exec-path?': 'loads a configuration',
  '--edit --interactive --edit-description': 'opens an editor',
  '--paginate': 'runs a pager',
  '--submodule? --recurse-submodules?': 'runs git inside submodules, under their own rules',
  '--alternate-refs': 'runs git in another repository',
  '--no-index': 'reads files that are in no repository',
}

/** `%G?`, `%+GS`, `%(signature)` and their kin make git call gpg; other submodules than all ignored make it run inside them. */
export const HAZARDOUS_VALUES = [
  {
    of: '--format --pretty --group',
    bad: /%[-+ ]?G|%[-+ ]?\(signature|%[-+ ]?\(\*?signature/i,
    why: 'runs a signing program',
  },
  { of: '--sort', bad: /signature/i, why: 'runs a signing program' },
  { of: '--ignore-submodules', bad: /^(?!all$)/, why: 'runs git inside submodules, under their own rules' },
]
