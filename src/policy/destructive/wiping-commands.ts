import { posix } from 'node:path'
import type { Effort } from '../model/effort.ts'
import { archivedPlaces } from './archived-places.ts'
import { endsEverything } from './ending-everything.ts'
import { isDisk, isPrecious } from './precious-paths.ts'
import { roughScan } from './rough-scan.ts'
import { programName, unwrap } from './unwrap.ts'

/** What one command line would wipe for good, or null. Works on words; the wrappers are already off. */
export function wipe(argv: readonly string[], cwd: string, effort: Effort): string | null {
  const [program = '', ...words] = argv
  // A variable in the middle of a name is most likely empty: `r${x}m`.
  const name = programName(program.replace(/(?<=\w)\$\{\w+\}|\$\{\w+\}(?=\w)/g, '').replace(/\\/g, '/')).replace(
    /\.(exe|com|cmd|bat)$/i,
    '',
  )
  // `/bin/r?` is what the shell finds there.
  const lower = /[?*[]/.test(name) && matchesRm(name) ? 'rm' : name.toLowerCase()
  if (words.length > 0 && words.every(word => /^(--help|--version|-h|-V|\/\?|--usage)$/.test(word))) return null
  const call: CommandWords = { name, words, operands: operandsOf(words), cwd, effort }
  return (Object.hasOwn(WIPERS, lower) ? WIPERS[lower]?.(call) : null) ?? formats(call)
}

const matchesRm = (glob: string): boolean => /^(?:\[?r\]?|\?)(?:\[?m\]?|\?)$/.test(glob) || /^(?:r\*|\*m)$/.test(glob)

interface CommandWords {
  readonly name: string
  readonly words: readonly string[]
  readonly operands: readonly string[]
  readonly cwd: string
  readonly effort: Effort
}
type Wiper = (call: CommandWords) => string | null

const operandsOf = (words: readonly string[]): string[] => {
  const end = words.indexOf('--')
  return words.filter((word, i) => (end >= 0 && i > end) || (!word.startsWith('-') && i !== end))
}
const isRecursive = (word: string): boolean =>
  /^--r(e(c(u(r(s(i(ve?)?)?)?)?)?)?)?$/.test(word) ||
  (/^-[a-zA-Z]*[rR]/.test(word) && !word.startsWith('--')) ||
  /^\/s$/i.test(word)
const firstPrecious = (call: CommandWords): string | undefined => call.operands.find(word => isPrecious(word, call.cwd))

const remove: Wiper = call => {
  if (!call.words.some(isRecursive) && !call.words.includes('--no-preserve-root')) return null
  const place = firstPrecious(call)
  return place === undefined ? null : `${call.name} would wipe ${place}`
}

/** As cmd and PowerShell call it; `powershell-rules.ts` knows the rest of their commands. */
const removeItem: Wiper = call => {
  if (
    !call.words.some(
      word => /^-r(e(c(u(r(se?)?)?)?)?)?(:|$)/i.test(word) || /^(?:\/[a-z])*\/s(?:\/[a-z])*$/i.test(word),
    )
  )
    return null
  const operands = call.operands.filter(word => !/^(?:\/[a-z])+$/i.test(word))
  const paths = operands.flatMap(word => word.split(',')).map(word => word.replace(/^["']|["'}]+$/g, ''))
  const place = paths.find(word => isPrecious(word, call.cwd))
  return place === undefined ? null : `${call.name} would wipe ${place}`
}

const removeAny: Wiper = call => remove(call) ?? removeItem(call)

const changeAll: Wiper = call => {
  if (!call.words.some(isRecursive)) return null
  const place =
    call.operands.slice(1).find(word => isPrecious(word, call.cwd)) ??
    (withoutMode(call) ? firstPrecious(call) : undefined)
  return place === undefined ? null : `${call.name} would change everything in ${place}`
}
/** Where the first operand is a place already: `--reference=x`, `chmod -R -x /`, `setfacl -R -b /`. */
const withoutMode = (call: CommandWords): boolean =>
  /^(?:chattr|setfacl)$/.test(call.name) || call.words.some(word => /^--reference|^-[wxXstu]+$/.test(word))

const onDisk =
  (what: string): Wiper =>
  call => {
    const disk = call.operands.find(isDisk)
    return disk === undefined ? null : `${call.name} would ${what} ${disk}`
  }

const forced =
  (what: string): Wiper =>
  call =>
    call.words.some(word => /^-\w*[fy]|^--(?:force|yes)/.test(word)) ? `${call.name} would ${what} for good` : null

const removeTree: Wiper = call =>
  firstPrecious(call) === undefined ? null : `${call.name} would wipe ${firstPrecious(call)}`
const byAssignment: Wiper = call => {
  const target = call.words.find(word => word.startsWith('of=') && isDisk(word.slice(3)))
  return target === undefined ? null : `${call.name} would overwrite ${target.slice(3)}`
}
const ontoLast: Wiper = call =>
  isDisk(call.operands.at(-1) ?? '') ? `${call.name} would overwrite ${call.operands.at(-1)}` : null

const endsAll: Wiper = call => (endsEverything(call.name, call.words) ? `${call.name} would end every process` : null)

/** What is put into an archive, or copied, and then deleted here. */
const archivedAway = (call: CommandWords, places: readonly string[]): string | null => {
  const place = places.find(word => isPrecious(word, call.cwd))
  return place === undefined ? null : `${call.name} would wipe ${place}`
}

const archive: Wiper = call => {
  const removed = call.words.some(word => /^--remove(?:-(?:f(?:i(?:l(?:es?)?)?)?)?)?$/.test(word))
    ? archivedPlaces(call.words, call.cwd).find(({ word, cwd }) => isPrecious(word, cwd))
    : undefined
  if (removed) return `${call.name} would wipe ${posix.resolve(removed.cwd, removed.word)}`
  const writes =
    /^-?[a-zA-Z]*[cruA]/.test(call.words[0] ?? '') || call.words.some(word => /^--(?:create|append|update)/.test(word))
  if (!writes) return null
  const files = call.words.map(word => word.replace(/^--file=|^-[a-zA-Z]*f/, ''))
  return onDisk('overwrite')({ ...call, operands: [...call.operands, ...files] })
}

const WIPERS: Readonly<Record<string, Wiper>> = {
  rm: removeAny,
  rmdir: removeItem,
  rd: removeItem,
  del: removeItem,
  erase: removeItem,
  rimraf: removeTree,
  'rimraf.js': removeTree,
  'del-cli': removeTree,
  gio: call => (call.operands[0] === 'trash' ? WIPERS.trash?.(call) : null) ?? null,
  trash: call => (firstPrecious(call) === undefined ? null : `trash would move away ${firstPrecious(call)}`),
  chmod: changeAll,
  chown: changeAll,
  chgrp: changeAll,
  chattr: changeAll,
  setfacl: changeAll,
  dd: byAssignment,
  dcfldd: byAssignment,
  dc3dd: byAssignment,
  tee: onDisk('overwrite'),
  sponge: onDisk('overwrite'),
  openssl: call => (isDisk(call.words[call.words.indexOf('-out') + 1] ?? '') ? onDisk('overwrite')(call) : null),
  sort: call => (call.words.some(word => /^-[a-zA-Z]*o|^--output/.test(word)) ? onDisk('overwrite')(call) : null),
  asr: call => (call.words.includes('--erase') ? onDisk('erase')(call) : null),
  curl: onDisk('overwrite'),
  wget: onDisk('overwrite'),
  tar: archive,
  gtar: archive,
  bsdtar: archive,
  zip: call =>
    call.words.some(word => /^-[a-zA-Z]*m|^--move$/.test(word)) ? archivedAway(call, call.operands.slice(1)) : null,
  '7z': call => (call.words.includes('-sdel') ? archivedAway(call, call.operands.slice(2)) : null),
  kill: endsAll,
  killall: endsAll,
  killall5: endsAll,
  pkill: endsAll,
  skill: endsAll,
  dmsetup: call =>
    /^(?:remove_all|wipe_table)$/.test(call.operands[0] ?? '') ? 'dmsetup would take the disks away' : null,
  btrfs: call =>
    /^su[a-z]* del[a-z]*$/.test(call.operands.slice(0, 2).join(' ')) && firstPrecious(call) !== undefined
      ? `btrfs would wipe ${firstPrecious(call)}`
      : null,
  lvremove: forced('delete a volume'),
  vgremove: forced('delete a group of volumes'),
  cp: ontoLast,
  install: ontoLast,
  scp: ontoLast,
  'qemu-img': ontoLast,
  bmaptool: ontoLast,
  ddrescue: call => ontoLast({ ...call, operands: call.operands.slice(0, 2) }),
  mv: call => {
    if (isDisk(call.operands.at(-1) ?? '')) return `mv would overwrite ${call.operands.at(-1)}`
    const target = call.words.findIndex(word => /^-[a-zA-Z]*t$|^--target-directory/.test(word))
    const given = target < 0 || (call.words[target] ?? '').includes('=') ? undefined : call.words[target + 1]
    const sources = target < 0 ? call.operands.slice(0, -1) : call.operands.filter(word => word !== given)
    const place = sources.find(word => isPrecious(word, call.cwd))
    return place === undefined ? null : `mv would move away ${place}`
  },
  shred: call => onDisk('overwrite')(call) ?? remove({ ...call, words: ['-r', ...call.words] }),
  wipe: call => onDisk('overwrite')(call) ?? remove({ ...call, words: ['-r', ...call.words] }),
  srm: call => onDisk('overwrite')(call) ?? remove({ ...call, words: ['-r', ...call.words] }),
  wipefs: call => (call.words.some(word => /^(-[a-z]*[af]|--all|--force)/.test(word)) ? onDisk('erase')(call) : null),
  blkdiscard: onDisk('discard'),
  badblocks: call => (call.words.some(word => /^-[a-z]*w/.test(word)) ? onDisk('overwrite')(call) : null),
  hdparm: call =>
    call.words.some(word => /security-erase|trim-sector|make-bad-sector/.test(word)) ? onDisk('erase')(call) : null,
  nvme: call => (/^(format|sanitize)/.test(call.operands[0] ?? '') ? onDisk('format')(call) : null),
  sgdisk: call => (call.words.some(word => /^(-Z|-z|-o|--zap|--clear)/.test(word)) ? onDisk('clear')(call) : null),
  sfdisk: call => (call.words.some(word => /^(-l|--list|-d|--dump)$/.test(word)) ? null : onDisk('repartition')(call)),
  fdisk: call => (call.words.some(word => /^(-l|--list|-lu)$/.test(word)) ? null : onDisk('repartition')(call)),
  cfdisk: onDisk('repartition'),
  gdisk: call => (call.words.includes('-l') ? null : onDisk('repartition')(call)),
  pvcreate: onDisk('wipe'),
  pvremove: call => onDisk('wipe')(call) ?? forced('wipe a disk')(call),
  mdadm: call => (call.words.includes('--zero-superblock') ? onDisk('wipe')(call) : null),
  mkswap: onDisk('format'),
  zpool: call =>
    /^(?:destroy|labelclear)$/.test(call.operands[0] ?? '') ? 'zpool would destroy a pool of disks' : null,
  e2image: ontoLast,
  xfs_mdrestore: ontoLast,
  flash_erase: onDisk('erase'),
  flash_eraseall: onDisk('erase'),
  nandwrite: onDisk('overwrite'),
  parted: call =>
    call.words.some(word => /^(mklabel|mktable|rm|mkpart)$/.test(word)) ? onDisk('repartition')(call) : null,
  cryptsetup: call =>
    call.words.some(word => /^(luksFormat|erase|luksErase|reencrypt)$/.test(word)) ? onDisk('format')(call) : null,
  truncate: onDisk('empty'),
  diskutil: call =>
    /^(?:(?:erase|partition|zero|random|secureErase|reformat)|apfs delete)/i.test(call.operands.slice(0, 2).join(' '))
      ? 'diskutil would erase a disk'
      : null,
  zfs: call =>
    call.operands[0] === 'destroy' && call.words.some(word => /^-[a-zA-Z]*[rR]/.test(word))
      ? 'zfs would destroy a pool of disks'
      : null,
  find: call => wipeByFind(call),
  fd: call => wipeByFd(call),
  fdfind: call => wipeByFd(call),
  rsync: call =>
    ontoLast(call) ??
    (call.words.some(word => word.startsWith('--del')) && isPrecious(call.operands.at(-1) ?? '', call.cwd)
      ? `rsync would delete in ${call.operands.at(-1)}`
      : call.words.includes('--remove-source-files')
        ? archivedAway(call, call.operands.slice(0, -1))
        : null),
  format: call => (call.operands.some(word => /^[a-z]:[\\/]?$/i.test(word)) ? 'format would format a drive' : null),
}

function formats(call: CommandWords): string | null {
  if (
    !/^(mkfs|newfs)(?:[._](?!(?:sh|py|rb|pl|[cm]?[jt]s|md|txt)$)\w+)?$|^mke2fs$|^mkdosfs$|^mkntfs$|^mkreiserfs$/.test(
      call.name,
    )
  )
    return null
  const target = call.operands.at(-1)
  // An image is a file like any other; a device or a place we cannot see is not.
  if (target === undefined || call.words.includes('--help') || /^(?!\/dev\/).*\.(?:img|raw|iso|qcow2?)$/.test(target))
    return null
  return `${call.name} would format ${target}`
}

function wipeByFind(call: CommandWords): string | null {
  const start = call.words.findIndex(word => !/^-(?:[HLP]+|O\d*|D)$/.test(word))
  const given = call.words.slice(Math.max(0, start))
  const end = given.findIndex(word => /^[-(!]/.test(word))
  const place = given.slice(0, Math.max(0, end)).find(word => isPrecious(word, call.cwd))
  if (place === undefined) return null
  if (isNarrowed(call.words)) return null
  if (call.words.includes('-delete')) return `find would delete everything in ${place}`
  const at = call.words.findIndex(word => /^-(exec|execdir|ok|okdir)$/.test(word))
  if (at < 0) return null
  const { commands, scripts } = unwrap(call.words.slice(at + 1, at + 33), call.effort)
  const run = [...commands, ...scripts.flatMap(text => roughScan(text, call.effort).map(({ argv }) => argv))]
  return run.some(([program = '']) => /^(?:rm|shred|unlink|mv|chmod|chown|chgrp)$/.test(programName(program)))
    ? `find would remove or change everything in ${place}`
    : null
}

/** `fd . / -x rm`: the place follows the pattern. */
function wipeByFd(call: CommandWords): string | null {
  const at = call.words.findIndex(word => /^(?:-[xX]|--exec(?:-batch)?)$/.test(word))
  if (at < 0 || !/^(?:rm|shred|unlink)$/.test(programName(call.words[at + 1] ?? ''))) return null
  const [pattern = '', place = ''] = operandsOf(call.words.slice(0, at))
  return /^(?:\.?\*?)$/.test(pattern) && isPrecious(place, call.cwd) ? `fd would remove everything in ${place}` : null
}

/** Whether the words of `find` select some files only. */
export const isNarrowed = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      /^-(name|iname|path|ipath|regex|newer|size|mtime|mmin|atime|user|empty|perm)/.test(word) &&
      !/^(?:!|-not)$/.test(words[i - 1] ?? '') &&
      !/^\.?\*+$/.test(words[i + 1] ?? ''),
  )
