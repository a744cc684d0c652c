import { HELD, type HeldKind } from '../../approving/scopes.ts'
import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { Watchers } from '../../base/watchers.ts'
import type { HeldScope } from '../../contract/window/window-frames.ts'
import type { HeldApproval } from '../../contract/wire/scope.ts'
import { checkRule } from '../../policy/files/check-rule.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { matches, readPattern } from '../../policy/rules/pattern.ts'
import type { Rule } from '../../policy/rules/rules.ts'

/** Where an approval beyond "once" holds. */
export interface ScopePlace {
  readonly requester: string
  readonly workspaceId: string | null
  readonly cwd: string
  readonly terminalId: string
}

interface Held {
  /** One approval, whatever the number of its rules. */
  readonly scopeId: string
  readonly kind: HeldKind
  readonly place: ScopePlace
  readonly rule: Rule
  /** null: no end by the clock. */
  readonly until: number | null
}

/** The rules of an approval that holds for later commands, too: in memory, for one requester and workspace, gone on restart. */
export class ScopedRules {
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #watchers = new Watchers()
  #held: Held[] = []

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock
    this.#ids = ids
  }

  /** What is in force now, for the person to see. */
  held(): HeldScope[] {
    const now = this.#clock.elapsed()
    const live = this.#held.filter(({ until }) => until === null || until > now)
    return [...new Set(live.map(({ scopeId }) => scopeId))].flatMap(scopeId => {
      const own = live.filter(each => each.scopeId === scopeId)
      const [first] = own
      if (!first) return []
      const { kind, place, until } = first
      return {
        scope_id: scopeId,
        kind,
        rules: own.map(({ rule }) => rule.pattern.text),
        requester: place.requester,
        workspace_id: place.workspaceId,
        terminal_id: HELD[kind].covers === 'terminal' ? place.terminalId : null,
        cwd: place.cwd,
        expires_in_ms: until === null ? null : Math.ceil(until - now),
      }
    })
  }

  /** The person takes it back. False: it was over already. */
  revoke(scopeId: string): boolean {
    const before = this.held().length
    this.#held = this.#held.filter(each => each.scopeId !== scopeId)
    this.#watchers.notify()
    return this.held().length < before
  }

  watch(watcher: () => void): { dispose(): void } {
    return this.#watchers.add(watcher)
  }

  hold(scope: HeldApproval, place: ScopePlace): void {
    const { kind } = scope
    const minutes = 'minutes' in scope ? scope.minutes : null
    const until = minutes === null ? null : this.#clock.elapsed() + minutes * 60_000
    const source = minutes === null ? HELD[kind].source : `an approval for ${minutes} minutes`
    const scopeId = this.#ids.make('scope')
    for (const text of scope.rules) {
      const pattern = readPattern(text)
      if ('problem' in pattern) continue
      const rule: Rule = { pattern, source, why: source, reach: 'anywhere', options: 'any' }
      this.#held.push({ scopeId, kind, place, rule, until })
    }
    if (minutes !== null) this.#clock.after(minutes * 60_000, () => this.#watchers.notify())
    this.#watchers.notify()
  }

  rulesFor(place: ScopePlace): readonly Rule[] {
    const now = this.#clock.elapsed()
    this.#held = this.#held.filter(({ until }) => until === null || until > now)
    return this.#held.filter(held => holdsAt(held, place)).map(({ rule }) => rule)
  }

  /** Whoever comes under that name next is somebody else. */
  forgetAllOf(requester: string): void {
    this.#held = this.#held.filter(({ place }) => place.requester !== requester)
    this.#watchers.notify()
  }

  forget(terminalId: string): void {
    this.#held = this.#held.filter(
      ({ place, kind }) => HELD[kind].covers !== 'terminal' || place.terminalId !== terminalId,
    )
    this.#watchers.notify()
  }
}

function holdsAt({ place, kind }: Held, here: ScopePlace): boolean {
  if (place.requester !== here.requester || place.workspaceId !== here.workspaceId) return false
  // Without a workspace nothing says how far "here" goes, so it is this directory.
  if (place.workspaceId === null && place.cwd !== here.cwd) return false
  return HELD[kind].covers !== 'terminal' || place.terminalId === here.terminalId
}

/** The narrowest rules that would cover the line next time: its parts, word by word. None when a part was not understood. */
export function proposedRules(verdict: Verdict): string[] {
  const open = verdict.parts.filter(part => !part.covered)
  const texts = open.map(({ argv }) => (argv === null ? null : asPattern(argv)))
  return texts.includes(null) ? [] : [...new Set(texts as string[])]
}

function asPattern(argv: readonly string[]): string | null {
  const text = argv.map(word => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
  const pattern = readPattern(text)
  if ('problem' in pattern || pattern.openEnded || !matches(pattern, argv)) return null
  return checkRule(text).advice === 'refuse' ? null : text
}

/** Why these rules cannot be given with this approval, or null. None may be about anything but what was asked. */
export function ruleObjection(rules: readonly string[], verdict: Verdict): string | null {
  for (const text of rules) {
    const pattern = readPattern(text)
    if ('problem' in pattern) return `The rule "${text}" ${pattern.problem}.`
    const check = checkRule(text)
    if (check.advice === 'refuse') return `"${text}" cannot be a rule: ${check.why}.`
    if (!verdict.parts.some(({ argv }) => argv !== null && matches(pattern, argv)))
      return `The rule "${text}" does not cover what was asked.`
  }
  return null
}
