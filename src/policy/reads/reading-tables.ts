import type { OptionTable } from './parse-options.ts'

/**
 * Every option of the tools that only read, as GNU's have them: what is missing here could be cut short to something else.
 * Which of them name files, and which are left to a person, is in reads-of.ts.
 */
const HELP = '--help --version'

const table = (options: string, more: Omit<OptionTable, 'options'> = {}): OptionTable => ({
  options: `${options} ${HELP}`,
  ...more,
})

export const CAT = table(
  '-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
)
export const HEAD = table('-c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated', {
  digits: 'alone',
})
export const TAIL = table(
  '-c= -n= -f -F -q -v -s= -z --bytes= --lines= --follow? --retry --max-unchanged-stats= --pid= --sleep-interval= --quiet --silent --verbose --zero-terminated --debug',
  { digits: 'alone' },
)
export const WC = table(
  '-c -m -l -L -w --bytes --chars --lines --max-line-length --words --total= --files0-from= --debug',
)
export const SORT = table(
  '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k= -t= -S= -T= -o= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source= --reverse --version-sort --batch-size= --check? --compress-program= --debug --files0-from= --key= --merge --output= --stable --sort= --buffer-size= --field-separator= --temporary-directory= --parallel= --unique --zero-terminated',
)
export const UNIQ = table(
  '-c -d -D -i -u -z -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars=',
)
export const CUT = table(
  '-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated',
)
export const DIFF = table(
  '-q -s -c -C= -u -U= -e -f -n -y -W= -p -F= -t -T -l -r -N -P -x= -X= -S= -i -E -Z -b -w -B -I= -a -d -D= -L= -H --normal --brief --report-identical-files --context? --unified? --ed --forward-ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --paginate --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from= --starting-file= --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --old-group-format= --new-group-format= --unchanged-group-format= --changed-group-format= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --minimal --horizon-lines= --speed-large-files --color? --palette= --binary --inhibit-hunk-merge --sdiff-merge-assist --presume-output-tty',
  { digits: 'alone' },
)
export const STAT = table('-L -f -c= -t --dereference --file-system --format= --printf= --terse --cached=')
export const FILE = table(
  '-b -c -C -d -e= -E -f= -F= -h -i -I -k -l -L -m= -M= -n -N -p -P= -r -s -S -v -z -Z -0 --brief --checking-printout --compile --apple --extension --debug --exclude= --exclude-quiet= --files-from= --separator= --keep-going --list --dereference --no-dereference --magic-file= --mime --mime-type --mime-encoding --no-buffer --no-pad --preserve-date --parameter= --print0 --raw --special-files --no-sandbox --uncompress --uncompress-noreport',
)
export const DU = table(
  '-0 -a -A -B= -b -c -D -d= -H -h -k -L -l -m -P -S -s -t= -x -X= --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth= --files0-from= --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style= --one-file-system --exclude= --exclude-from=',
)
export const TREE = table(
  '-a -d -l -f -x -L= -R -P= -I= -o= -q -N -Q -p -u -g -s -h -D -F -i -A -S -n -C -X -J -t -U -r -c -v -H= -T= --gitignore --gitfile= --matchdirs --ignore-case --metafirst --info --infofile= --prune --filelimit= --timefmt= --noreport --inodes --device --sort= --dirsfirst --filesfirst --du --si --charset= --fromfile --fromtabfile --nolinks --hintro= --houtro= --hyperlink --scheme= --authority= --opt-toggle --acl --selinux',
  // In a bundle every letter takes a word of its own from behind it: `-Ll 2` is `-L 2 -l`.
  { exact: true, glued: /^\d+$/ },
)
export const LS = table(
  '-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T= -u -U -v -w= -x -X -Z -1 --all --almost-all --author --escape --block-size= --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero',
)
export const GREP = table(
  '-E -F -G -P -X= -e= -f= -i -y -v -w -x -c -L -l -m= -o -q -s -b -H -h -n -T -Z -A= -B= -C= -a -I -D= -d= -r -R -U -u -z -V --extended-regexp --fixed-strings --fixed-regexp --basic-regexp --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches --max-count= --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null --after-context= --before-context= --context= --text --binary-files= --devices= --directories= --exclude= --exclude-from= --exclude-dir= --include= --recursive --dereference-recursive --line-buffered --binary --null-data --unix-byte-offsets --no-group-separator --group-separator=',
  { digits: 'bundled' },
)
export const RG = table(
  '-A= -B= -C= -e= -f= -g= -j= -M= -m= -r= -t= -T= -d= -E= -0 -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -. -z --after-context= --before-context= --context= --regexp= --file= --glob= --iglob= --threads= --max-columns= --max-count= --replace= --type= --type-not= --max-depth= --maxdepth= --encoding= --engine= --sort= --sortr= --color= --colors= --context-separator= --dfa-size-limit= --field-context-separator= --field-match-separator= --hyperlink-format= --ignore-file= --max-filesize= --path-separator= --regex-size-limit= --type-add= --type-clear= --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --column --no-column --count --count-matches --crlf --no-crlf --debug --trace --files --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --hidden --no-hidden --ignore-case --ignore-file-case-insensitive --include-zero --invert-match --no-invert-match --json --no-json --line-buffered --line-number --no-line-number --line-regexp --max-columns-preview --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename --with-filename --no-ignore --ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --messages --no-require-git --no-unicode --unicode --null --null-data --one-file-system --only-matching --passthru --passthrough --pcre2 --no-pcre2 --pcre2-version --pretty --quiet --smart-case --stats --no-stats --stop-on-nonmatch --text --no-text --trim --no-trim --type-list --unrestricted --vimgrep --word-regexp --no-pre --no-search-zip --pre= --pre-glob= --hostname-bin= --search-zip --generate=',
  { exact: true },
)
export const SED = table(
  '-n -E -r -u -z -s -l= -e= -f= -i? -b --quiet --silent --debug --regexp-extended --unbuffered --null-data --zero-terminated --separate --line-length= --expression= --file= --in-place? --follow-symlinks --posix --sandbox --binary',
)
export const AWK = table('-F= -v= -f= --field-separator= --assign= --file= --posix --traditional --csv', {
  optionsFirst: true,
  exact: true,
})
/** Options with two values are left to a person. */
export const JQ = table(
  '-n -r -j -a -s -c -C -M -S -e -R --null-input --raw-output --raw-output0 --join-output --ascii-output --slurp --compact-output --color-output --monochrome-output --sort-keys --exit-status --raw-input --tab --indent= --unbuffered --stream --seq',
  { exact: true },
)
export const NL = table(
  '-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=',
)
export const TAC = table('-b -r -s= --before --regex --separator=')
export const REV = table('-0 -h -V --zero')
export const FOLD = table('-b -s -w= --bytes --spaces --width=', { digits: 'alone' })
export const PASTE = table('-d= -s -z --delimiters= --serial --zero-terminated')
export const COMM = table('-1 -2 -3 -z --check-order --nocheck-order --output-delimiter= --total --zero-terminated')
export const CMP = table('-b -i= -l -n= -s --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent')
export const OD = table(
  '-A= -j= -N= -S? -t= -v -w? -a -b -c -d -f -i -l -o -s -x --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional',
)
export const STRINGS = table(
  '-a -d -f -n= -t= -e= -o -T= -w -s= -U= --all --data --print-file-name --bytes= --radix= --encoding= --target= --include-all-whitespace --output-separator= --unicode=',
)
export const HEXDUMP = table(
  '-b -c -C -d -o -x -e= -f= -n= -s= -v -L? -X -h -V --one-byte-octal --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --one-byte-hex --format= --format-file= --length= --skip= --no-squeezing --color?',
)
/** One word is one option here, and a number may be glued to it: `-ps` is not `-p -s`. */
export const XXD: OptionTable = {
  options:
    '-a -b -bits -C -c= -cols= -d -e -E -g= -groupsize= -h -i -include -l= -len= -n= -o= -p -ps -plain -postscript -s= -seek= -u -uppercase -v -version',
  exact: true,
  words: true,
  glued: /^[+-]?(?:0x)?[\da-f]+$/i,
}
export const SUMS = table(
  '-a= -l= -b -c -t -z -w --algorithm= --length= --untagged --raw --base64 --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --debug',
)
export const REALPATH = table(
  '-e -E -m -L -P -q -s -z --canonicalize --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --strip --no-symlinks --zero',
)
export const READLINK = table(
  '-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero',
)
export const TR = table('-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1')
export const DATE = table(
  '-d= -f= -I? -R -r= -s= -u --date= --file= --iso-8601? --rfc-email --rfc-3339= --reference= --set= --utc --universal --debug --resolution',
)
export const FD = table(
  '-H -I -u -s -i -g -F -a -l -L -p -0 -d= -t= -e= -E= -S= -o= -x= -X= -c= -j= -1 -q -h -V --hidden --no-ignore --no-ignore-vcs --no-require-git --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and= --absolute-path --list-details --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --newer= --older= --owner= --format= --exec= --exec-batch= --batch-size= --ignore-file= --color= --hyperlink? --threads= --max-results= --quiet --show-errors --base-directory= --path-separator= --search-path= --strip-cwd-prefix? --one-file-system --gen-completions? --no-hidden --ignore',
  { exact: true },
)
