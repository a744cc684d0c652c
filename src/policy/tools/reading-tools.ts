import { type Hazard, inspectOptions, type Operand } from '../model/option-model.ts'
import { harmless, options, type ToolTable, tools } from '../model/tool-model.ts'

const XXD = inspectOptions({
  options:
    '-a -b -c= -C -d -e -E -g= -h -i -l= -n= -o= -p -s= -u -v -R= -plain -ps -postscript -cols= -groupsize= -len= -seek= -bits -include -uppercase -version',
  hazards: { '-r -revert': 'writes binary data' },
  unlisted: 'closed',
  dashes: 'words',
  operands: operands => operands.slice(1).map(({ at }) => ({ at, why: 'is a file it writes' })),
})

/** `@file` brings in more options, and one of them may load code. */
const noWordsFromFiles = (operands: readonly Operand[]): Hazard[] =>
  operands.filter(({ text }) => text.startsWith('@')).map(({ at }) => ({ at, why: 'brings in more options' }))

/** Tools that read and print. The first table has no option that writes or runs anything, so a wildcard covers all of it. */
export const READING_TOOLS: ToolTable = {
  ...tools('cat head tail wc ls dir vdir stat du df pwd whoami id uname nproc', harmless),
  ...tools('echo true false basename dirname realpath readlink which whereis type seq yes', harmless),
  ...tools('grep egrep fgrep cut tr nl tac rev fold fmt expand unexpand paste join comm column cmp', harmless),
  ...tools('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base32 od hexdump', harmless),
  ...tools('strings readelf size jq uptime free ps pgrep tty groups users who w last lsblk lscpu getent', harmless),
  ...tools('expr factor numfmt tsort sleep cal lsb_release sw_vers printenv locale nslookup host', harmless),
  ...tools('sort', {
    ...options({
      options:
        '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k= -t= -S= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check? --merge --stable --unique --zero-terminated --key= --field-separator= --buffer-size= --sort= --parallel= --debug --batch-size= --help --version',
      hazards: {
        '-o= --output=': 'writes a file',
        '--compress-program=': 'runs a program',
        '-T= --temporary-directory=': 'writes files elsewhere',
        '--files0-from= --random-source=': 'reads a list of files',
      },
      unlisted: 'closed',
    }),
  }),
  ...tools(
    'uniq',
    options(
      {
        options:
          '-c -d -D -i -u -z -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars= --help --version',
        unlisted: 'closed',
        operands: operands => operands.slice(1).map(({ at }) => ({ at, why: 'is a file it writes' })),
      },
      'nowhere',
    ),
  ),
  ...tools('xxd', {
    globs: 'nowhere',
    // A number may be glued to its option.
    inspect: (argv, start) =>
      XXD(
        argv.map(word => (/^-[cglos][+-]?\d+$/.test(word) ? '-v' : word)),
        start,
      ),
  }),
  ...tools(
    'date',
    options(
      {
        options:
          '-d= -r= -R -u -I? -f= -j -n -v= --date= --reference= --rfc-email --rfc-2822 --rfc-3339= --iso-8601? --utc --universal --debug --file= --resolution --help --version',
        hazards: { '-s= --set=': 'sets the clock' },
        unlisted: 'closed',
        operands: operands =>
          operands.filter(({ text }) => !text.startsWith('+')).map(({ at }) => ({ at, why: 'sets the clock' })),
      },
      'nowhere',
    ),
  ),
  ...tools(
    'rg',
    options({
      options: `-A= -B= -C= -e: -f= -g: -j= -M= -m= -r: -t= -T= -d= -E= -0 -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -.
        --after-context= --before-context= --context= --regexp: --file= --glob: --iglob: --threads= --max-columns= --max-count= --replace: --type= --type-not= --max-depth= --maxdepth= --encoding= --engine= --sort= --sortr= --color= --colors= --context-separator= --dfa-size-limit= --field-context-separator= --field-match-separator= --hyperlink-format= --ignore-file= --max-filesize= --path-separator= --regex-size-limit= --type-add= --type-clear=
        --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --column --no-column --count --count-matches --crlf --no-crlf --debug --trace --files --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --help --hidden --no-hidden --ignore-case --ignore-file-case-insensitive --include-zero --invert-match --no-invert-match --json --no-json --line-buffered --line-number --no-line-number --line-regexp --max-columns-preview --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename --with-filename --no-ignore --ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --messages --no-require-git --no-unicode --unicode --null --null-data --one-file-system --only-matching --passthru --passthrough --pcre2 --no-pcre2 --pcre2-version --pretty --quiet --smart-case --stats --no-stats --stop-on-nonmatch --text --no-text --trim --no-trim --type-list --unrestricted --version --vimgrep --word-regexp --no-pre --no-search-zip`,
      hazards: {
        '--pre=': 'runs a program for each file',
        '--pre-glob=': 'chooses files for a program to run on',
        '--hostname-bin=': 'runs a program',
        '-z --search-zip': 'runs decompression programs',
        '--generate=': 'prints files of its own',
      },
      unlisted: 'closed',
    }),
  ),
  ...tools(
    'diff colordiff sdiff diff3',
    options({
      hazards: { '-l --paginate': 'runs pr', '-o= --output=': 'writes a file', '--diff-program=': 'runs a program' },
      unlisted: 'open',
    }),
  ),
  ...tools(
    'tree',
    options({
      options: '-L -P -I -H -T --filelimit= --timefmt= --charset= --sort= --gitfile= --infofile=',
      hazards: { '-o= --output=': 'writes a file', '-R': 'writes files with -H' },
      unlisted: 'open',
    }),
  ),
  ...tools(
    'file',
    options({
      options:
        '-b -c -d -e= -E -f= -F= -h -i -I -k -L -l -N -n -p -r -s -0 -v --brief --checking-printout --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --raw --special-files --separator= --exclude= --files-from= --extension --apple --print0 --no-pad --preserve-date --help --version',
      hazards: {
        '-C --compile': 'writes a magic file',
        '-m= --magic-file=': 'loads a magic file',
        '-z -Z --uncompress --uncompress-noreport': 'runs decompression programs',
        '-S --no-sandbox': 'switches its sandbox off',
        '-P= --parameter=': 'changes its limits',
      },
      unlisted: 'closed',
    }),
  ),
  ...tools('base64', options({ hazards: { '-o= --output=': 'writes a file' }, unlisted: 'open' })),
  ...tools('shuf', options({ hazards: { '-o= --output=': 'writes a file' }, unlisted: 'open' })),
  ...tools('iconv', options({ hazards: { '-o= --output=': 'writes a file' }, unlisted: 'open' })),
  ...tools('split csplit', {
    globs: 'nowhere',
    inspect: (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: 'writes files' })),
  }),
  ...tools(
    'objdump',
    options({
      hazards: { '--debuginfod': 'fetches files', '--plugin=': 'loads code' },
      unlisted: 'open',
      operands: noWordsFromFiles,
    }),
  ),
  ...tools('hostname domainname', {
    globs: 'nowhere',
    inspect: (argv, start) =>
      argv
        .slice(start)
        .flatMap((word, i) =>
          /^-[a-zA-Z]$/.test(word) && !/[bF]/.test(word) ? [] : [{ at: start + i, why: 'sets the name' }],
        ),
  }),
  ...tools(
    'ss lsof netstat',
    options({ hazards: { '-K -D= --kill --diag=': 'closes sockets or writes a file' }, unlisted: 'open' }),
  ),
  ...tools('dig', options({ hazards: { '-f= -k=': 'reads a file' }, unlisted: 'open', dashes: 'words' })),
  ...tools('top htop', options({ options: '-b -n= -d= -p= -u= -o= -c -H -i -h -v', unlisted: 'closed' })),
  ...tools(
    'bat batcat',
    options({
      hazards: {
        '--pager= --lessopen --generate-config-file --diagnostic --acknowledgements --completion= --config-file --cache-dir --config-dir':
          'runs a program or writes a file',
      },
      unlisted: 'open',
      operands: operands =>
        operands[0]?.text === 'cache' ? operands.map(({ at }) => ({ at, why: 'writes its cache' })) : [],
    }),
  ),
  ...tools('nm', options({ hazards: { '--plugin= -B=': 'loads code' }, unlisted: 'open', operands: noWordsFromFiles })),
  ...tools(
    'arch',
    options({ unlisted: 'closed', operands: operands => operands.map(({ at }) => ({ at, why: 'runs a program' })) }),
  ),
  ...tools(
    'cloc',
    options({
      options:
        '--by-file --json --yaml --csv --xml --quiet --exclude-dir= --include-lang= --exclude-lang= --not-match-d= --match-f= --hide-rate --sum-one --by-percent= --version --help',
      unlisted: 'closed',
      dashes: 'words',
    }),
  ),
  ...tools('tokei', options({ options: '-f --files --hidden -e= -t= -s= -o= --version --help', unlisted: 'closed' })),
  ...tools(
    'yq',
    options({
      hazards: { '-i --inplace --in-place': 'writes the file', '-s= --split-exp=': 'writes files' },
      unlisted: 'open',
    }),
  ),
  ...tools(
    'fd fdfind',
    options({
      hazards: {
        '-x= --exec=': 'runs a program for each file',
        '-X= --exec-batch=': 'runs a program',
        '-l --list-details': 'runs ls',
        '--ignore-file=': 'reads a file',
      },
      unlisted: 'open',
    }),
  ),
  ...tools('eza exa lsd', harmless),
}
