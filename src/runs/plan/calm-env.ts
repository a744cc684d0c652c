/** Nobody is there to scroll. A program that starts less by itself gets one that ends with its text. */
const NO_PAGERS: Readonly<Record<string, string>> = {
  MANPAGER: 'cat',
  GH_PAGER: 'cat',
  GLAB_PAGER: 'cat',
  BAT_PAGER: 'cat',
  DELTA_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  PSQL_PAGER: 'cat',
  AWS_PAGER: '',
  LESS: 'FRX',
}

/** Nobody can answer: what would ask takes its safe choice or fails, and says so. Nothing here says yes to anything. */
const NO_QUESTIONS: Readonly<Record<string, string>> = {
  DEBIAN_FRONTEND: 'noninteractive',
  GH_PROMPT_DISABLED: '1',
  PIP_NO_INPUT: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  POETRY_NO_INTERACTION: '1',
  COMPOSER_NO_INTERACTION: '1',
  TF_INPUT: '0',
  NO_UPDATE_NOTIFIER: '1',
}

/**
 * What makes programs behave where no person sits in front of them; what is set already wins. Not CI: it turns warnings into
 * errors, freezes lockfiles and keeps tests from writing snapshots.
 */
export const calmEnv = (lane: 'headless' | 'interactive'): Readonly<Record<string, string>> =>
  lane === 'headless' ? { ...NO_PAGERS, ...NO_QUESTIONS } : NO_PAGERS
