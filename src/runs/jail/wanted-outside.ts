/** What a command in the sandbox reached for and did not get: the words that programs say then, in their own output. */
export const OUTSIDE = ['network', 'write', 'secrets', 'socket', 'limits', 'program', 'home', 'no_start'] as const
export type Outside = (typeof OUTSIDE)[number]

export interface WantedOutside {
  readonly what: Outside
  /** The line that says so. Untrusted text, and short. */
  readonly line: string
}

const LONGEST_LINE = 300

/** What a line says is wanted; the first that fits counts. */
const SIGNS: readonly (readonly [what: Outside, sign: RegExp])[] = [
  ['write', /\bEROFS\b|read-only file ?system|\[Errno 30\]/i],
  [
    'network',
    /\bEAI_(?:AGAIN|NONAME)\b|\bENETUNREACH\b|\bENOTFOUND\b|network is (?:unreachable|down)|could ?n[o']t resolve host|name or service not known|temporary failure in name resolution|nodename nor servname|getaddrinfo|no route to host|\bECONNREFUSED\b|connection refused|failed to (?:connect|download|fetch)|unable to (?:connect|resolve)|dial tcp|could not connect/i,
  ],
  ['socket', /\bEAFNOSUPPORT\b|address family not supported/i],
  [
    'limits',
    /resource temporarily unavailable|cannot fork|\bENOMEM\b|cannot allocate memory|out of memory|\bENOSPC\b|no space left/i,
  ],
  [
    'home',
    /not a git repository|is not a git command|dubious ownership|no such (?:remote|identity)|please tell me who you are/i,
  ],
]
const DENIED = /permission denied|\bEACCES\b|\bEPERM\b|operation not permitted/i
const COLOURS = /\u001b\[[\d;]*[A-Za-z]/g

/**
 * Why a command that failed may have failed for want of what the sandbox keeps from it; null: it failed by itself, as it would
 * outside. Being wrong costs a question, never a start.
 */
export function wantedOutside(
  output: string,
  { exitCode }: { readonly exitCode: number | null },
): WantedOutside | null {
  if (exitCode === 0) return null
  const lines = output.replace(COLOURS, '').split(/\r?\n/)
  for (const [what, sign] of SIGNS) {
    const line = lines.find(each => sign.test(each))
    if (line !== undefined) return { what, line: line.trim().slice(0, LONGEST_LINE) }
  }
  const denied = lines.find(each => DENIED.test(each))
  if (denied !== undefined) return { what: 'secrets', line: denied.trim().slice(0, LONGEST_LINE) }
  if (exitCode !== 126 && exitCode !== 127) return null
  return { what: 'program', line: (lines.findLast(each => each.trim() !== '') ?? '').trim().slice(0, LONGEST_LINE) }
}

/** It, in words that follow "it failed for want of". */
export const WANT_WORDS: Readonly<Record<Outside, string>> = {
  network: 'the network, or a service of this machine',
  write: 'a place to write',
  secrets: 'a file or a right that is kept from it',
  socket: 'a socket of this machine',
  limits: 'more processes, memory or space',
  program: 'a program that is not there',
  home: 'something in the home directory or above the folder',
  no_start: 'a sandbox: it did not start',
}
