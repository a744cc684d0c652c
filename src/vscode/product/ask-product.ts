import { execFile } from 'node:child_process'
import type { ProductCommand } from './find-product.ts'

/** Ours as they are: the product decides for itself which of them count. */
export type EditorVariables = Readonly<Record<string, string | undefined>>

const WITHIN_MS = 15_000
const MOST_BYTES = 1 << 20

/** Runs one command of the product that answers and ends; what it prints. Rejects with its own words when it fails. */
export function askProduct(
  { program, args, env }: ProductCommand,
  words: readonly string[],
  ownEnv: EditorVariables,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...args, ...words],
      { env: { ...ownEnv, ...env }, timeout: WITHIN_MS, maxBuffer: MOST_BYTES, windowsHide: true },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        reject(new Error(`${program}: ${stderr.trim() || error.message}`))
      },
    )
  })
}
