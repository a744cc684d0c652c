import { createHmac, timingSafeEqual } from 'node:crypto'

interface SealedPtyHost {
  readonly instance_id: string
  readonly pid: number
  readonly start: string | null
  readonly boot: string | null
  readonly port: number
}

/** What a pty-host writes beside its pid, so that the next host knows without asking that this process is the one it may end. */
export function ptyHostSeal(key: Buffer, { instance_id, pid, start, boot, port }: SealedPtyHost): string {
  const text = ['interactive-terminal pty-host', instance_id, pid, start ?? '-', boot ?? '-', port].join('\n')
  return createHmac('sha256', key).update(text).digest('hex')
}

export function isSealed(key: Buffer, file: SealedPtyHost & { readonly seal: string | null }): boolean {
  const right = Buffer.from(ptyHostSeal(key, file))
  const given = Buffer.from(file.seal ?? '')
  return given.length === right.length && timingSafeEqual(given, right)
}
