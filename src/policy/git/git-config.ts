/**
 * Reads the configuration a repository brings along and says which setting of it is not known to be harmless. Git offers
 * no switch against drivers, filters and helpers named there, so an unasked git runs only where there are none.
 */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|longpaths|protecthfs|protectntfs|splitindex|untrackedcache|preloadindex|commentchar|whitespace|fscache|sharedrepository)$/,
  user: /^(name|email|useconfigonly|signingkey)$/,
  author: /^(name|email)$/,
  committer: /^(name|email)$/,
  branch:
    /^(remote|merge|rebase|pushremote|description|autosetupmerge|autosetuprebase|sort|vscode-merge-base|github-pr-owner-number|gk-.*)$/,
  remote: /^(url|fetch|pushurl|tagopt|prune|pushdefault|gh-resolved)$/,
  pull: /^(rebase|ff)$/,
  push: /^(default|autosetupremote|followtags)$/,
  fetch: /^(prune|prunetags|parallel)$/,
  init: /^defaultbranch$/,
  merge: /^(ff|conflictstyle|renames)$/,
  rebase: /^(autostash|autosquash|updaterefs)$/,
  rerere: /^(enabled|autoupdate)$/,
  color: /.*/,
  advice: /.*/,
  diff: /^(algorithm|renames|colormoved|mnemonicprefix|noprefix|context)$/,
  log: /^(date|decorate)$/,
  status: /^(short|branch|showuntrackedfiles)$/,
  submodule: /^(url|active)$/,
  extensions: /^(worktreeconfig|objectformat)$/,
  index: /^(version|threads)$/,
  feature: /^manyfiles$/,
  pack: /^(threads|windowmemory)$/,
  gc: /^(auto|autodetach)$/,
  maintenance: /^(auto|strategy)$/,
  lfs: /^(repositoryformatversion|locksverify|access)$/,
  http: /^extraheader$/,
  safe: /^directory$/,
}
/** `.gitmodules` may not say how a submodule is looked at or updated: that would run git inside it, under its own rules. */
const HARMLESS_MODULES: Readonly<Record<string, RegExp>> = { submodule: /^(path|url|branch|shallow)$/ }

const SECTION = /^\[\s*([A-Za-z0-9-]+)(?:\.[^\]\s"]*)?(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*(.*)$/
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/

export function configProblem(text: string, kind: 'config' | 'modules' = 'config'): string | null {
  const harmless = kind === 'config' ? HARMLESS : HARMLESS_MODULES
  let section = ''
  for (const raw of text.split('\n')) {
    let line = raw.trim()
    const header = SECTION.exec(line)
    if (header) {
      section = (header[1] ?? '').toLowerCase()
      line = header[2] ?? ''
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const setting = SETTING.exec(line)
    const name = `${section}.${setting?.[1] ?? '?'}`.toLowerCase()
    // A value that goes on in the next line could hide a setting from this reader.
    if (!setting || setting[2]?.endsWith('\\'))
      return 'the repository’s git configuration has a line that cannot be read here'
    if (!Object.hasOwn(harmless, section) || !harmless[section]?.test(name.slice(section.length + 1)))
      return `the repository’s own git configuration sets ${name}, which may start a program`
  }
  return null
}
