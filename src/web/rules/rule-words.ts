import type { DefaultRulesShown, RuleFile } from '../../contract/window/rules-frames.ts'

/** What the two files of a project are for. */
export const LAYER_WORDS: Readonly<Record<RuleFile['layer'], { readonly title: string; readonly note: string }>> = {
  base: { title: 'Allowlist', note: 'Runs without asking, in the window’s terminals and without a window.' },
  headless: {
    title: 'Headless only',
    note: 'Runs without asking where there is no window (memory_terminal). In a terminal it still needs approval.',
  },
}

/** Where defaults hold, the narrowest first. */
export const DEFAULTS_WORDS: Readonly<Record<DefaultRulesShown['rules'][number]['reach'], string>> = {
  nothing_read: 'Anywhere: they read no files',
  workspace: 'In a project: they read its files, never secrets',
  repository: 'In a project: they read its repository',
  trusted: 'In a trusted project: they run its own code',
}

export const NEVER_AUTO =
  'PM_TERM_AUTO_APPROVE is “never”: whatever the rules say, every command in a terminal needs approval.'

export const TRUST_ENDS = 'Its own code, such as npm test, needs approval again. Rules that you wrote stay as they are.'
