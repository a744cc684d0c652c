import type * as z from 'zod'
import { TermError } from './errors.ts'

/** One thing wrong with a payload: which field, and what to do about it. */
export interface Issue {
  readonly field: string
  readonly problem: string
}

export const UNKNOWN_FIELD = 'is not a field of this request'

/** A model reads these: enough to fix the request, not a dump of all of it. */
const MOST_ISSUES = 32

export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap(issue => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({
        field: shown([...path, key].join('.')),
        problem: UNKNOWN_FIELD,
      }))
    }
    // A bad key of a record: its own message is inside.
    const problem = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
    return [{ field: shown(path.join('.')) || 'payload', problem: plain(problem) }]
  })
}

export function invalidPayload(issues: readonly Issue[], hint?: string): TermError {
  const reported = issues.slice(0, MOST_ISSUES).map(({ field, problem }) => `${field} ${problem}`)
  if (issues.length > reported.length) reported.push(`and ${issues.length - reported.length} more`)
  const message = reported.length > 0 ? sentence(reported.join('; ')) : 'The payload is not valid.'
  return new TermError('PM_TERM_INVALID_PAYLOAD', hint ? `${message} ${hint}` : message, {
    details: { issues: issues.slice(0, MOST_ISSUES), issue_count: issues.length, ...(hint && { hint }) },
  })
}

const sentence = (words: string): string => (/[.?]$/.test(words) ? words : `${words}.`)

/** Why a path is no place to run in, by its name. */
export function noDirectory(
  path: string,
  problem: 'does not exist' | 'is not a directory' | 'is not an existing directory',
): string {
  const home = /(^|[\\/])~/.test(path) ? ': ~ is not expanded here, write the home directory out' : ''
  return `${drawable(path)} ${problem}${home}`
}

/** A path in a message: whole as a rule, and with nothing in it that could draw on a screen. */
export const drawable = (path: string): string => path.slice(0, 500).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')

/** A field name comes from the caller: cut, and with nothing in it that could draw on a screen. */
const shown = (field: string): string => field.slice(0, 120).replace(/[^\x20-\x7e]/g, '?')

/** zod's own wording for a wrong type or enum, as the rest of our sentence. */
const plain = (message: string): string => message.replace(/^Invalid (input|option): expected /, 'must be ')
