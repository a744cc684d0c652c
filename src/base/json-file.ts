import { readFileSync } from 'node:fs'

export type JsonFile<T> = { readonly content: T } | { readonly problem: string } | { readonly missing: true }

/** What a schema has to say: whether a value has its shape, and if not, what is wrong first. */
interface Shape<T> {
  safeParse(value: unknown): {
    readonly data?: T
    readonly success: boolean
    readonly error?:
      | { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }
      | undefined
  }
}

/** A file of ours that others may have changed or cut short: its content, or what is wrong with it in a few words. */
export function readJsonFile<T>(path: string, shape: Shape<T>): JsonFile<T> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    return code === 'ENOENT' ? { missing: true } : { problem: `cannot be read (${code})` }
  }
  try {
    const parsed = shape.safeParse(JSON.parse(text))
    if (parsed.success) return { content: parsed.data as T }
    const [issue] = parsed.error?.issues ?? []
    const where = issue?.path.map(String).join('.') ?? ''
    return { problem: `does not have the right shape: ${where === '' ? '' : `${where} `}${issue?.message}` }
  } catch {
    return { problem: text.trim() === '' ? 'is empty' : 'is not JSON: half-written or broken' }
  }
}
