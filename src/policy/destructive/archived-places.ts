import { posix } from 'node:path'
import { isPrecious } from './precious-paths.ts'

/** The operands of tar, each with the directory that `-C` has moved to before it. */
export function archivedPlaces(words: readonly string[], start: string): { word: string; cwd: string }[] {
  const places: { word: string; cwd: string }[] = []
  // `tar cf x.tar y`: the values of the letters follow them.
  const [letters = ''] = words
  const bundled = letters.startsWith('-') ? 0 : 1 + letters.replace(/[^fbCTXFgKNVHI]/g, '').length
  let cwd = start
  for (let at = bundled; at < words.length; at += 1) {
    const word = words[at] as string
    const glued = /^(?:-C|--directory=)(.+)$/.exec(word)?.[1]
    if (glued !== undefined || /^(?:-[a-zA-Z]*C|--directory)$/.test(word)) {
      const target = glued ?? words[++at] ?? '.'
      cwd = isPrecious(target, '/tmp/x') && !target.startsWith('/') ? '/home/user' : posix.resolve(cwd, target)
    } else if (/^(?:-[a-zA-Z]*[fbTXFgKNVI]|--(?:file|files-from|exclude|exclude-from|transform))$/.test(word)) at += 1
    else if (!word.startsWith('-')) places.push({ word, cwd })
  }
  return places
}
