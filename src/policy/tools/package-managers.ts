import { type Hazard, type Inspector, inspectOptions } from '../model/option-model.ts'
import { everyWord, options, subcommands, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'
import { insideOnly, leavesProject } from './project-paths.ts'

/** Package managers run scripts of a project; their options can point them at another project or another shell. */
const ELSEWHERE = 'works on another project or with another program'

/** npm reads its own options up to `--`; what follows belongs to the script. */
const untilDashes =
  (inspect: Inspector): Inspector =>
  (argv, start) => {
    const end = argv.indexOf('--', start)
    return inspect(end < 0 ? argv : argv.slice(0, end), start)
  }

/** What cargo hands on behind `--`: the compiler and the tests have options that write or load, too. */
const andBehindDashes =
  (inspect: Inspector): Inspector =>
  (argv, start) => {
    const end = argv.indexOf('--', start)
    if (end < 0) return inspect(argv, start)
    const handedOn = argv.flatMap((word, at): Hazard[] =>
      at > end && /^(?:-[ZCo]|--(?:logfile|codegen|emit|out-dir|config|print))/.test(word)
        ? [{ at, why: 'writes a file or loads code' }]
        : [],
    )
    return [...inspect(argv.slice(0, end), start), ...handedOn]
  }

const NPM_OPTIONS =
  '-s -q -d -w= -ws -l -h --silent --quiet --verbose --loglevel= --if-present --workspace= --workspaces --include-workspace-root --json --long --parseable --depth= --all --no-color --color? --progress --no-progress --no-audit --no-fund --no-update-notifier --foreground-scripts --timing --omit= --include= --dry-run --help --version --production --offline --prefer-offline --ignore-scripts'

const INSIDE = [
  { of: '-w --workspace -r --requirement -c --constraint -e --editable', bad: /^[/~]|\.\.|:\/\//, why: ELSEWHERE },
]
const npmScripts = untilDashes(inspectOptions({ options: NPM_OPTIONS, values: INSIDE, unlisted: 'closed' }))
const npmReading = inspectOptions({ options: NPM_OPTIONS, unlisted: 'closed' })
const npmAudit = inspectOptions({
  options: `${NPM_OPTIONS} --audit-level= --package-lock-only`,
  unlisted: 'closed',
  operands: operands =>
    operands.filter(({ text }) => text !== 'signatures').map(({ at }) => ({ at, why: 'changes what is installed' })),
})
const npmInstalls = untilDashes(
  inspectOptions({
    options: `${NPM_OPTIONS} -D -E -S -P -O -B --save --save-dev --save-exact --save-prod --save-optional --save-peer --no-save --frozen-lockfile --legacy-peer-deps --package-lock-only --no-package-lock --force -f`,
    hazards: { '-g --global --prefix= -C= --registry= --script-shell= --install-links': ELSEWHERE },
    unlisted: 'closed',
    operands: operands =>
      operands
        .filter(({ text }) =>
          /^(git|http|file|ssh|github|gitlab|bitbucket)[+:]|^[/~.]|:\/\/|^[^@/]+\/[^/]+$|@(git|http|file|npm:)/.test(
            text,
          ),
        )
        .map(({ at }) => ({ at, why: 'installs from outside the registry' })),
  }),
)
const runsAny: Inspector = (argv, start) =>
  argv.slice(start).map((_, i) => ({ at: start + i, why: 'runs any program' }))

/** Names people give to scripts. Anything else behind yarn, pnpm or bun may be a program from anywhere. */
const SCRIPT_NAME =
  /^(?:test|tests|lint|build|typecheck|type-check|check|format|fmt|dev|start|stop|ci|coverage|cov|e2e|unit|clean|docs|storybook|preview|compile|watch|verify|bench|generate|codegen|ls|list|why|outdated|audit|info)(?:[:.-][\w:.-]*)?$/

const NPM_WHY = 'is an npm command that may install, publish or run something'
const npmLike = subcommands({
  globals: {
    options: '-s -v --silent --version --help -h --no-color --json',
    hazards: {
      '--prefix= -C= --dir= --cwd= --userconfig= --globalconfig= --script-shell= --node-options= --registry= --cache= --use-yarnrc= --modules-folder= --config= --cafile= --node-gyp= --git= --editor= --viewer= --shell= --scripts-prepend-node-path -g --global -F= --filter= -w= --workspace-root -r --recursive':
        ELSEWHERE,
    },
    unlisted: 'closed',
  },
  free: 'test|t|tst|run|run-script|ls|list|view|info|show|outdated|help|root|prefix|why|explain|fund|search|ping|whoami|-v|version',
  stays: 'install|i|ci|add|update|up|upgrade|uninstall|remove|rm|dedupe|prune|install-test|it|audit',
  handsOn: ([name = '', script = '']) => !/^run(-script)?$/.test(name) || SCRIPT_NAME.test(script),
  models: {
    'test|t|tst|run|run-script|rum|urn|start|stop|restart|lint|build|typecheck': npmScripts,
    'ls|list|view|info|show|outdated|why|explain|fund|search|ping|whoami|root|prefix|help': npmReading,
    audit: npmAudit,
    'install|i|ci|add|update|up|upgrade|uninstall|remove|rm|dedupe|prune|install-test|it': npmInstalls,
    'exec|x|dlx|create|init|explore|edit|config|set|login|adduser|publish|unpublish|link|pack|version|token|owner|access|hook|rebuild|node|patch':
      runsAny,
  },
  otherwise: npmScripts,
  why: NPM_WHY,
})

const PROGRAM_NAME =
  /[/\\]|^(?:node|bun|deno|sh|bash|zsh|dash|env|python\d?|perl|ruby|tsx|ts-node|npx|npm|cmd|powershell|pwsh|sudo|curl|wget)$/

/** After the script's name, yarn, pnpm and bun hand every word to the script. */
const scriptThenAnything: ToolModel = {
  ...options({
    options: '-s --silent --version -v --help -h --filter= -F= -r --recursive',
    hazards: {
      '--cwd= --dir= -C= --prefix= --use-yarnrc= --script-shell= --config= --registry= --modules-folder= --shell= --top-level -T -e= --eval= -p= --print= --preload= --require= --import= --env-file= --outfile= --outdir= --compile --store-dir= --state-dir= --npmrc-auth-file= --global-dir= --global-bin-dir= --virtual-store-dir= --modules-dir= --lockfile-dir= --pnpmfile= --global-pnpmfile= --userconfig= --cafile= --use-node-version= --node-options= --coverage-dir= --reporter-outfile= --update-snapshots --inspect? --inspect-brk? --inspect-wait? --tsconfig-override= --define= --cpu-prof --heap-prof':
        ELSEWHERE,
    },
    // `--config.script-shell=x`
    dotted: 'ask',
    unlisted: 'open',
    operands: ([first, second, ...rest]) => {
      if (!first) return []
      const script = first.text === 'run' || first.text === 'run-script' ? second : first
      if (!script) return []
      // What is not a script's own word could be a file for the package manager's own test runner.
      if (SCRIPT_NAME.test(script.text))
        return [second, ...rest]
          .filter(word => word !== undefined && word !== script && leavesProject(word.text))
          .map(word => ({ at: word?.at ?? 0, why: 'names something outside the project' }))
      const after = script === first && second ? [second, ...rest] : rest
      if (script !== first && !PROGRAM_NAME.test(script.text))
        return [{ at: first.at, why: 'chooses a script', kind: 'choice' }]
      return [script, ...after].map(({ at }) => ({ at, why: 'may install, publish or run something' }))
    },
  }),
  mayEndOpen: ([, name = '', script = '']) => SCRIPT_NAME.test(/^run(-script)?$/.test(name) ? script : name),
}

/** `poetry run pytest` is judged by what pytest does with the rest; `behind` is handed in to avoid a circle. */
export const packageManagers = (behind: Inspector): ToolTable => ({
  ...tools('npm', npmLike),
  ...tools('pnpm', scriptThenAnything),
  ...tools('bun', {
    ...scriptThenAnything,
    // Letters of its own: code to load first, a configuration, snapshots to write anew.
    inspect: (argv, start) => [
      ...scriptThenAnything.inspect(argv, start),
      ...argv.flatMap((word, at) => (at >= start && /^-[rcu]/.test(word) ? [{ at, why: ELSEWHERE }] : [])),
    ],
  }),
  ...tools('yarn', {
    ...scriptThenAnything,
    inspect: (argv, start) => {
      const words = argv.slice(start)
      const installs = words.every(word => word.startsWith('-') && !/^(?:--version|-v|--help|-h)$/.test(word))
      const why = 'without a script it installs'
      return installs
        ? everyWord(argv, start, why).map(hazard => ({ ...hazard, kind: 'choice' as const }))
        : scriptThenAnything.inspect(argv, start)
    },
  }),
  ...tools(
    'cargo',
    subcommands({
      globals: {
        options: '-V --version --list -v -q --verbose --quiet --color= --locked --offline --frozen --help -h',
        hazards: { '--config= -Z= -C= --explain=': 'injects configuration' },
        unlisted: 'closed',
      },
      free: 'tree|metadata|search|version|help|verify-project|pkgid|locate-project|read-manifest|test|t|clippy|build|b|check|c|doc|d|bench|fmt',
      models: {
        'test|t|clippy|build|b|check|c|doc|d|bench|tree|fmt|nextest run|nextest list': andBehindDashes(
          inspectOptions({
            options:
              '-p= --package= --exclude= --test= --bin= --example= --bench= --features= -F= --target= --profile= -j= --jobs= --message-format= --color= -E= --all',
            hazards: {
              '--config= -Z= --manifest-path= -C= --target-dir= --artifact-dir= --out-dir= --lockfile-path= --runner= --config-path= --tool-config-file=':
                ELSEWHERE,
              '--fix --allow-dirty --allow-no-vcs --open': 'changes files or opens a program',
            },
            // A description of a machine names the program that links for it.
            values: [{ of: '--target', bad: /\.json$|[/\\]/, why: ELSEWHERE }],
            unlisted: 'open',
          }),
        ),
        'install|publish|run|r|owner|login|yank|fix|uninstall|init|new|add|remove|vendor|rustc|rustdoc|clean|update|package|logout':
          runsAny,
      },
      otherwise: runsAny,
      why: 'is a cargo command that builds or runs code',
    }),
  ),
  ...tools(
    'go',
    subcommands({
      globals: { hazards: { '-C=': ELSEWHERE }, options: '--version --help -h', unlisted: 'closed' },
      free: 'version|env|list|help|doc|test|build|vet|fmt',
      models: {
        env: { options: '-json -changed', unlisted: 'closed', dashes: 'words' },
        'test|build|vet|list|doc|fmt|mod tidy|mod graph|mod why|mod verify|mod download|version|install|run|generate|tool|clean|get':
          inspectOptions({
            options:
              '-run= -bench= -count= -timeout= -tags= -p= -parallel= -cpu= -skip= -list= -f= -covermode= -coverpkg= -benchtime= -shuffle= -fuzztime=',
            hazards: {
              '-exec= -toolexec= -vettool= -pkgdir= -overlay= -modfile= -modcacherw -C= -ldflags= -gcflags= -asmflags= -gccgoflags= -compiler= -buildmode= -linkshared -work':
                'runs a program or works elsewhere',
              '-o= -c -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir= -test.cpuprofile= -test.memprofile= -test.blockprofile= -test.mutexprofile= -test.trace= -test.outputdir= -test.coverprofile= -test.gocoverdir= -w':
                'writes a file',
              '-fuzz=': 'writes a corpus',
              '-mod=': 'may fetch modules',
              '-http?': 'starts a server and opens a browser',
            },
            unlisted: 'open',
            dashes: 'words',
            dotted: 'ask',
            operands: operands => [
              ...insideOnly('runs code from outside the project')(operands),
              // `github.com/x/y`, `x@latest`: a module of somebody else, fetched first.
              ...operands
                .filter(({ text }) => text.includes('@') || /^[\w-]+\.[\w.-]+\//.test(text))
                .map(({ at }) => ({ at, why: 'fetches code of a stranger' })),
            ],
          }),
      },
      otherwise: runsAny,
      why: 'is a go command that builds or runs code',
    }),
  ),
  ...tools(
    'pip pip3',
    subcommands({
      globals: {
        options: '-V --version --help -h -q -v --disable-pip-version-check --no-color --no-input',
        hazards: { '--python= --log= --cache-dir= --proxy=': ELSEWHERE },
        unlisted: 'closed',
      },
      free: 'list|show|freeze|check|index|inspect|help|debug',
      models: {
        'list|show|freeze|check|inspect|index': {
          hazards: {
            '--path= --python= --log= -i= --index-url= --extra-index-url= --find-links= --trusted-host= --proxy= --cert= --client-cert= --cache-dir= --keyring-provider=':
              ELSEWHERE,
          },
          unlisted: 'open',
        },
        install: {
          options:
            '-q -v -U -r= -e= --editable= --upgrade --no-deps --user --dry-run --pre --require-hashes --no-cache-dir --quiet --disable-pip-version-check --requirement= -c= --constraint=',
          hazards: {
            '-i= --index-url= --extra-index-url= -f= --find-links= --target= -t= --prefix= --root= --global-option= --config-settings= --trusted-host=':
              ELSEWHERE,
          },
          values: INSIDE,
          unlisted: 'closed',
          operands: operands =>
            operands
              .filter(({ text }) => /:\/\/|^git\+|^[/~]|@ /.test(text))
              .map(({ at }) => ({ at, why: 'installs from outside the index' })),
        },
      },
      otherwise: runsAny,
      why: 'is a pip command that installs or runs something',
    }),
  ),
  ...tools(
    'brew apt apt-get apt-cache dnf yum pacman apk snap gem bundle composer poetry uv pipx conda mamba nix rustup asdf mise volta nvm',
    subcommands({
      globals: { options: '--version -V --help -h -q', unlisted: 'closed' },
      free: 'list|ls|search|show|info|outdated|version|help|policy|depends|rdepends|env list|config list|lock --check',
      models: {
        'run|exec|x|shell|tool': (argv, start) => {
          const at = argv.findIndex((word, i) => i >= start && !word.startsWith('-'))
          const words = argv.slice(start, at < 0 ? undefined : at + 1)
          const chosen: Hazard[] = words.map((_, i) => ({ at: start + i, why: 'runs any program' }))
          return at < 0 ? chosen : [...chosen, ...behind(argv, at)]
        },
      },
      otherwise: {
        unlisted: 'open',
        hazards: {
          '-c= --config= --config-file= --directory= --working-dir= -d= -C= -P= --project= --root= --prefix= --index-url= --option= -o= --plugin-files=':
            ELSEWHERE,
        },
      },
      why: 'may install or run something',
    }),
  ),
})
