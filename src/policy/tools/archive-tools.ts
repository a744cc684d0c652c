import { type Hazard, inspectOptions } from '../model/option-model.ts'
import { options, type ToolTable, tools } from '../model/tool-model.ts'
import { leavesProject } from './project-paths.ts'

/** Archives: listing is free; making, unpacking and every helper program must be spelled out. */
const WRITES = 'writes files'
const RUNS = 'runs a program'

const TAR_LONG = inspectOptions({
  options:
    '-t -v -f= -z -j -J -C= -O -p -k -h --list --verbose --file= --gzip --bzip2 --xz --zstd --lzma --exclude= --wildcards --no-wildcards --strip-components= --totals --numeric-owner --full-time --utc --show-transformed-names --null --occurrence? --help --version --to-stdout --exclude-vcs --exclude-vcs-ignores --auto-compress -a --no-recursion --directory= --one-file-system --owner= --group= --sort= --mtime= --keep-old-files --no-same-owner --no-same-permissions -o -m --touch',
  hazards: {
    '-c --create -x --extract --get -r --append -u --update -A --catenate --concatenate --delete -d --diff --compare':
      WRITES,
    '-I= --use-compress-program= --to-command= --checkpoint-action= --info-script= --new-volume-script= -F= --rsh-command= --rmt-command= --checkpoint?':
      RUNS,
    '-P --absolute-names --transform= --xform= -g= --listed-incremental= --index-file= --overwrite --unlink-first -U --recursive-unlink --remove-files --files-from= --exclude-from= --backup? --volno-file= --suffix= -T= -X= -Z --compress -K= -N= -L= -M -S -s -i -G -B -b= -V= -W -w -l -n -R':
      'changes what it touches',
  },
  values: [{ of: '-f --file', bad: /:/, why: 'is on another machine' }],
  unlisted: 'closed',
})

const CHANGES_FILES = /^-?[a-zA-Z]*[cxruA]|^--(create|extract|get|append|update|catenate|concatenate)$/

/** What is written or unpacked outside the project, once a rule has said that files are written at all. */
function outside(argv: readonly string[], start: number): Hazard[] {
  if (!CHANGES_FILES.test(argv[start] ?? '')) return []
  return argv.flatMap((word, at): Hazard[] => {
    if (at <= start) return []
    const before = argv[at - 1] as string
    const glued = /^(?:-C|--(?:directory|file)=)(.+)$/.exec(word)?.[1]
    const target = glued ?? (at === start + 1 || /^(-[a-zA-Z]*[Cf]|--directory|--file)$/.test(before) ? word : null)
    return target !== null && leavesProject(target) ? [{ at, why: 'is outside the project' }] : []
  })
}

/** Old style: the first word may be a bundle without a dash, `tar xzf a.tgz`. */
function inspectTar(argv: readonly string[], start: number): readonly Hazard[] {
  const first = argv[start]
  const elsewhere = outside(argv, start)
  if (first === undefined || first.startsWith('-')) return [...TAR_LONG(argv, start), ...elsewhere]
  const hazards: Hazard[] = []
  if (/[cxruAd]/.test(first)) hazards.push({ at: start, why: WRITES })
  if (/[^tvfzjJOpkhacxruAd]/.test(first)) hazards.push({ at: start, why: RUNS })
  const archive = argv[start + 1]
  if (first.includes('f') && archive?.includes(':')) hazards.push({ at: start + 1, why: 'is on another machine' })
  return [...hazards, ...TAR_LONG(argv, start + 1), ...elsewhere]
}

export const ARCHIVE_TOOLS: ToolTable = {
  ...tools('tar gtar bsdtar', { inspect: inspectTar, globs: 'after_text' }),
  ...tools(
    'unzip',
    options({
      options: '-l -v -t -Z -z -q -1 -2 -h -p -c -C -x=',
      hazards: { '-d= -o -n -f -u -j -a -X -K -P= -: -L -M': WRITES },
      unlisted: 'closed',
      operands: (operands, seen) =>
        ['-l', '-v', '-t', '-Z', '-z', '-p', '-c'].some(option => seen.has(option))
          ? []
          : operands.map(({ at }) => ({ at, why: WRITES })),
    }),
  ),
  ...tools('zip 7z 7za 7zr rar ar cpio pax', {
    globs: 'nowhere',
    inspect: (argv, start) =>
      argv
        .slice(start)
        .map((word, i) => ({ at: start + i, why: /^-?-?(TT|unzip-command)/.test(word) ? RUNS : WRITES }))
        .filter(() => !isListing(argv, start)),
  }),
  ...tools('zipinfo zcat bzcat xzcat gzcat zgrep zegrep', options({ unlisted: 'open' })),
  ...tools('zstdcat lz4cat', options({ options: '-q -v -d -c -f --quiet --verbose', unlisted: 'closed' })),
  ...tools(
    'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress',
    options({
      options:
        '-c -d -k -l -t -v -q -n -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --keep --list --test --verbose --quiet --fast --best --help --version -V -h',
      hazards: { '-f -r --force --recursive -S= --suffix= -o= --files? --filelist= --rm --output-dir-flat=': WRITES },
      unlisted: 'closed',
      operands: (operands, seen) =>
        ['-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test', '-k', '--keep'].some(option =>
          seen.has(option),
        )
          ? []
          : operands.map(({ at }) => ({ at, why: 'replaces the file' })),
    }),
  ),
}

const isListing = (argv: readonly string[], start: number): boolean =>
  /^(l|-l|-sf|--show-files|t|-t|--version|--help|-h|-v)$/.test(argv[start] ?? '') &&
  !argv.slice(start + 1).some(word => word.startsWith('-'))
