/**
 * Whether a command ends every process: of the machine, of root, or of the person at it. One process, one name or somebody
 * else's processes are a matter for a question.
 */
export function endsEverything(name: string, words: readonly string[]): boolean {
  switch (name) {
    case 'kill':
      // `kill -1 1234` sends a signal; only what follows one is a process, and -1 is all of them.
      return words.some((word, i) => i > 0 && /^-0*1$/.test(word) && !/^-[nsl]$|^--signal$/.test(words[i - 1] ?? ''))
    case 'killall5':
      return !words.some(word => /^-(?:0|18|19|CONT|STOP)$/.test(word))
    case 'pkill':
      return endsAllOf(words, PKILL) || words.includes('--inverse')
    case 'killall':
    case 'skill':
      return endsAllOf(words, KILLALL)
    default:
      return false
  }
}

interface Spelling {
  readonly user: RegExp
  /** Other options whose value is no name of a program. */
  readonly takesValue: RegExp
  /** Options that choose fewer processes. */
  readonly narrows: RegExp
}
const PKILL: Spelling = {
  user: /^(?:-[a-zA-Z]*[uU]|--(?:euid|uid))(?:=|$)/,
  takesValue: /^(?:--signal|-q|--queue|-O|--older|--ns|--nslist)$/,
  narrows: /^(?:-[a-zA-Z]*[PgGstFon]|--(?:parent|pgroup|group|session|terminal|pidfile|oldest|newest))(?:=|$)/,
}
const KILLALL: Spelling = {
  user: /^(?:-[a-zA-Z]*u|--user)(?:=|$)/,
  takesValue: /^(?:-s|--signal|-o|--older-than|-n|--ns|-Z|--context)$/,
  narrows: /^(?:-[ytc]|--younger-than|--older-than)(?:=|$)/,
}
const EVERYONE = /^(?:root|0|user|\$\{?(?:USER|LOGNAME|UID|EUID)\}?)$/
const ANY_NAME = /^(?:\^?\.[*+]?\$?|\^|\$|)$/
/** `-9`, `-KILL`: letters that are no options. */
const SIGNAL = /^-(?:\d+|(?:SIG)?[A-Z][A-Z\d+-]{2,})$/

function endsAllOf(words: readonly string[], spelling: Spelling): boolean {
  let everyone = false
  let byPattern = false
  const names: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string
    if (SIGNAL.test(word)) continue
    if (spelling.user.test(word)) {
      const users = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[++at] ?? '')
      everyone ||= users.split(',').some(user => EVERYONE.test(user))
    } else if (spelling.narrows.test(word)) return false
    else if (spelling.takesValue.test(word)) at += 1
    else if (/^-[a-z]*[rf]|^--(?:regexp|full)$/.test(word)) byPattern = true
    else if (!word.startsWith('-')) names.push(word)
  }
  if (names.length === 0) return everyone
  return (spelling === PKILL || byPattern) && names.every(name => ANY_NAME.test(name))
}
