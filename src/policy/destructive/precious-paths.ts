import { posix } from 'node:path'

/**
 * Places whose loss is the loss of a machine, a home or a disk. Spelling does not help: `/./`, `//`, `/usr/..`, `"$HOME"`
 * and `~/` are all found.
 */
const ROOTS =
  /^\/(?:bin|boot|boot\/efi|dev|etc|home|lib|lib32|lib64|libx32|media|mnt|opt|private|private\/(?:etc|var)|proc|root|run|sbin|snap|srv|sys|usr|usr\/(?:bin|lib|lib64|libexec|local|sbin|share|local\/(?:bin|lib))|var|var\/lib|Users|System|System\/(?:Library|Volumes|Volumes\/Data)|Library|Applications|Volumes|Network|cygdrive|cygdrive\/[a-z]|mnt\/[a-z]|[a-z]|(?:mnt\/|cygdrive\/)?[a-z]\/(?:Windows|Users|Program Files|ProgramData))$/
const HOMES = /^\/(?:home|Users|export\/home|var\/home)\/[^/]+$/
const HOME_VARIABLE =
  /^(?:\$HOME|\$\{HOME(?:[^\w}][^}]*)?\}|~[\w.-]*|\$env:(?:USERPROFILE|HOME|HOMEPATH)|%USERPROFILE%|%HOMEPATH%|\$PWD\/~)/i
const WINDOWS_ROOTS =
  /^(?:[a-z]:|%SystemDrive%|\$env:SystemDrive|\$env:(?:SystemRoot|windir|ProgramFiles|ProgramData)|%SystemRoot%|%windir%|%ProgramFiles%|[a-z]:\/(?:Windows|Users|Program Files|Program Files \(x86\)|ProgramData|Windows\/System32|Users\/[^/]+)|HK(?:LM|CU|CR|U):?(?:\/(?:SOFTWARE|SYSTEM))?)$/i
/** The end of a path that stands for all that is in it. */
const EVERYTHING_IN = /(?:\/(?:\.?\*+|\.\[[!^]?\.?\]?\*|\{\*,\.\*\}|\.\{,\.\}\*?|\.|\*\.\*|\.\*))+$/

export function isPrecious(word: string, cwd: string): boolean {
  const slashed = word
    .replace(/\\/g, '/')
    .replace(/^"|"$/g, '')
    .replace(/^\$(?:PWD\b|\{PWD\})/, '.')
  if (slashed === '' || slashed.startsWith('-')) return false
  if (slashed === '/*' || /^\/+(\*+|\.|\.\*|\{\*,\.\*\})?$/.test(slashed)) return true
  // `/[a-z]*`, `/e*`: whatever it matches, it is a directory of the system.
  if (/^\/+(?!tmp)[^/]*[*?[][^/]*\/?$/.test(slashed)) return true
  // `/$x`: likewise, or the root itself.
  if (/^\/+(?:\$\{?\w+\}?|\$\(…\)|`…`)\/?\*?$/.test(slashed)) return true
  const bare = slashed.replace(EVERYTHING_IN, '').replace(/\/+$/, '')
  if (HOME_VARIABLE.test(bare)) return posix.normalize(bare.replace(HOME_VARIABLE, '/h/u')).split('/').length <= 3
  if (WINDOWS_ROOTS.test(bare)) return true
  if (/^[a-z]:/i.test(bare)) return WINDOWS_ROOTS.test(posix.normalize(bare).replace(/\/+$/, ''))
  if (bare.includes('$')) return /^\$\{?(?:ROOT|\/)/.test(bare)
  const everything = /^(\.?\*+|\.|\.\/\*|\*\.\*)$/.test(slashed) ? '.' : bare === '' ? '/' : bare
  const path = posix.resolve(cwd.replace(/\\/g, '/') || '/', everything)
  return path === '/' || ROOTS.test(path) || HOMES.test(path)
}

/** One letter written to it takes the machine down, ends every process or remounts its disks. */
export const isMachineSwitch = (written: string): boolean => posix.normalize(written) === '/proc/sysrq-trigger'

export const isDisk = (written: string): boolean => {
  const word = written.startsWith('/') ? posix.normalize(written) : written
  return DISK.test(word) || /^\\\\\.\\physicaldrive\d/i.test(word)
}
const DISK =
  /^\/+dev\/+(?:(?:s|h|v|xv)d[a-z?*[]|nvme\d|mmcblk\d|r?disk\d|mapper\/|dm-\d|md\d|loop\d|sr\d|mem\b|kmem\b|port\b|disk\/by-|nbd\d|pmem\d|zd\d|zvol\/|rbd\d|bcache\d|dasd[a-z]|mtd(?:block)?\d|n?vd\d|ada\d|[\w-]*vg[\w-]*\/)/
