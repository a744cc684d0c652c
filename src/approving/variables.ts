/** What is to be said of the variables that a request sets: which of them decide what runs, and which are nobody's business. */
export interface Variable {
  readonly name: string
  /** null: it is unset. */
  readonly value: string | null
}

const LOADS_CODE = 'loads code of its choice into programs'
const RUNS_FIRST = 'names a file that runs before the command'
const RUNS_PROGRAM = 'names a program that others start'
const CHOOSES_FILES = 'decides where programs find their own parts'

/** Each variable that can change what a command does, and how. The first row that fits. */
const REACH: readonly (readonly [pattern: RegExp, does: string])[] = [
  [/^PATH(EXT)?$/i, 'decides which programs run'],
  [/^(LD|DYLD|_RLD|LDR)_/, LOADS_CODE],
  [/^(BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|PS4|PERL5DB|PYTHONSTARTUP|R_PROFILE.*|PHPRC|PHP_INI_SCAN_DIR)$/, RUNS_FIRST],
  [/^BASH_FUNC_|%%$|\(\)$/, 'puts a function in the place of a program'],
  [/^(SHELLOPTS|BASHOPTS|IFS|CDPATH|GLOBIGNORE|BASH_COMPAT|POSIXLY_CORRECT)$/, 'changes how a shell reads the line'],
  [/^(NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|BUN_OPTIONS|DENO_.*|TS_NODE_.*)$/, LOADS_CODE],
  [/^PYTHON(PATH|HOME|INSPECT|WARNINGS|BREAKPOINT|USERBASE|PLATLIBDIR|PYCACHEPREFIX|EXECUTABLE)$/, LOADS_CODE],
  [/^(PERL5?(LIB|OPT)|PERL_.*|RUBY(OPT|LIB)|GEM_(HOME|PATH)|BUNDLE_.*|LUA_.*|GUILE_.*|ERL_.*|ELIXIR_.*)$/, LOADS_CODE],
  [/^(_?JAVA_.*OPTIONS|JDK_JAVA_OPTIONS|JAVA_HOME|CLASSPATH|(MAVEN|GRADLE|SBT|ANT)_.*)$/, LOADS_CODE],
  [/^(DOTNET_.*|CORECLR_.*|COR_.*|MONO_.*|PSModulePath)$/, LOADS_CODE],
  [/^(GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|OPENSSL_.*|SSL_CERT_.*|GTK_.*|QT_.*|GST_.*|GIO_.*)$/, CHOOSES_FILES],
  [/^GIT_/, 'decides what git reads, runs and reaches'],
  [/^(SSH_ASKPASS.*|SUDO_ASKPASS|\w*PAGER|EDITOR|VISUAL|BROWSER|SHELL|LESSOPEN|LESSCLOSE|.*_COMMAND)$/, RUNS_PROGRAM],
  [
    /^(CC|CXX|CPP|LD|AR|AS|FC|RUSTC|RUSTC_.*|RUSTDOC|CARGO|GO|GOROOT|GOFLAGS|GOTOOLCHAIN|MAKE|PYTHON|NODE|NPM)$/,
    RUNS_PROGRAM,
  ],
  [
    /^(CARGO_.*|RUSTFLAGS|CFLAGS|CXXFLAGS|LDFLAGS|MAKEFLAGS|MAKEFILES|MFLAGS|GNUMAKEFLAGS|CMAKE_.*)$/,
    'gives options to tools that run code',
  ],
  [
    /^(npm_.*|YARN_.*|PNPM_.*|COREPACK_.*|PIP_.*|UV_.*|POETRY_.*|CONDA_.*|VIRTUAL_ENV)$/i,
    'gives options to tools that install and run code',
  ],
  [/^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*)$/, 'decides which settings programs read'],
  [
    /^((HTTPS?|ALL|FTP|NO)_PROXY|DOCKER_.*|KUBECONFIG|SSH_AUTH_SOCK|AWS_(PROFILE|CONFIG_FILE|ENDPOINT_URL.*))$/i,
    'decides which machines it speaks to',
  ],
]

/** How this variable can change what runs; null: not that anybody knows. */
export const reachOf = (name: string): string | null => REACH.find(([pattern]) => pattern.test(name))?.[1] ?? null

export interface VariableWarning {
  readonly name: string
  readonly does: string
}

export const variableWarnings = (env: readonly Variable[]): VariableWarning[] =>
  env.flatMap(({ name }) => {
    const does = reachOf(name)
    return does === null ? [] : [{ name, does }]
  })

const SECRET_NAME =
  /pass(word|wd|phrase|code)|(^|_)pass($|_)|secret|token|credential|cookie|bearer|api_?key|access_?key|private_?key|signing_?key|(^|_)(key|auth|dsn|pat|pin|otp|jwt|salt)($|_)/i
const SECRET_VALUE =
  /^(gh[a-z]_|github_pat_|glpat-|sk[-_]|pk_|rk_|xox[a-z]-|npm_|dop_v1_|hf_|AIza|AKIA|ASIA|ya29\.)|^eyJ[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@]*:[^/\s@]+@/

/** Its value is not shown until the person wants it. What decides what runs is never hidden. */
export function isSecret({ name, value }: Variable): boolean {
  if (value === null || value === '' || reachOf(name) !== null) return false
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value)
}

/** Always the same sign: how long a secret is says something, too. */
export const MASK = '••••••••'
