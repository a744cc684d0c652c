const LETTERS = 'aB3dE5fG7hJ9kLmN2pQrS4tUvW6xYz8'

/** So many letters and digits, always the same. */
export const body = (length: number, from = LETTERS): string =>
  Array.from({ length }, (_, i) => from[(i * 7) % from.length]).join('')

export const hex = (length: number): string => body(length, '0123456789abcdef')
export const upper = (length: number): string => body(length, 'ABCDEFGHJKLMNPQRSTUVWXYZ234567')

/** Tokens are put together here, so that no file has anything that looks like one. */
export const joined = (...parts: readonly string[]): string => parts.join('')

export const githubToken = (): string => joined('gh', 'p_', body(36))

const dashes = '-'.repeat(5)
export const keyLines = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => body(64 - (i % 2), `${LETTERS}+/`))

/** A private key of so many lines, in its own words. */
export const privateKey = (count: number, kind = 'RSA '): string =>
  [
    `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}`,
    ...keyLines(count),
    'aB3d==',
    `${dashes}END ${kind}PRIVATE KEY${dashes}`,
  ].join('\n')
