/** The rules of a makefile that its targets reach, in words: as far as the text says it without running make. */
export function makeLines(makefile: string, targets: readonly string[]): { target: string; text: string }[] {
  const rules = rulesIn(makefile)
  const wanted = targets.length > 0 ? [...targets] : firstTarget(rules)
  const shown: { target: string; text: string }[] = []
  for (const target of wanted) {
    if (shown.some(each => each.target === target) || shown.length >= MOST_TARGETS) continue
    const own = rules.filter(rule => rule.targets.includes(target))
    if (own.length === 0) continue
    shown.push({ target, text: own.map(({ text }) => text).join('\n') })
    // What it needs is made first.
    wanted.push(...own.flatMap(({ needs }) => needs))
  }
  return shown
}

const MOST_TARGETS = 16

interface MakeRule {
  readonly targets: readonly string[]
  readonly needs: readonly string[]
  readonly text: string
}

function rulesIn(makefile: string): MakeRule[] {
  const rules: { targets: string[]; needs: string[]; lines: string[] }[] = []
  let open: (typeof rules)[number] | null = null
  for (const line of makefile.replaceAll('\\\n', '\\\0').split('\n')) {
    const whole = line.replaceAll('\\\0', '\\\n')
    const head = /^([^\t#=:][^#=:]*)::?(?!=)([^=;]*)(;.*)?$/.exec(line.replaceAll('\\\0', ' '))
    if (line.startsWith('\t')) open?.lines.push(whole)
    else if (head) {
      const words = (text: string | undefined) => (text ?? '').split(/[\s|]+/).filter(word => word !== '')
      open = { targets: words(head[1]), needs: words(head[2]), lines: [whole] }
      rules.push(open)
    } else if (line.trim() !== '' && !line.startsWith('#')) open = null
  }
  return rules.map(({ lines, ...rest }) => ({ ...rest, text: lines.join('\n') }))
}

const firstTarget = (rules: readonly MakeRule[]): string[] =>
  rules
    .flatMap(({ targets }) => targets)
    .filter(target => !target.startsWith('.'))
    .slice(0, 1)
