import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The blocks of docs/containers.md in their order, each with where it is to be typed. Throws for one that says nothing about that. */
export function blocksOf(root) {
  const page = readFileSync(join(root, 'docs/containers.md'), 'utf8')
  const [setUp] = page.split('## When it does not work')
  return [...setUp.matchAll(/(?:<!-- (run|not run): (.+) -->\n)?```\w+\n([\s\S]*?)```/g)].map(([, how, what, text]) => {
    if (how === undefined) throw new Error(`A block says neither where it is typed nor why it is not run:\n${text}`)
    return { where: how === 'run' ? what : how, reason: how === 'run' ? null : what, lines: text.trim().split('\n') }
  })
}
