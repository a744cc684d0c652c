import type { Hazard, Operand } from './option-model.ts'
import { insideOnly, leavesProject } from './project-paths.ts'
import { harmless, nothingButHelp, options, type ToolModel, type ToolTable, tools } from './tool-model.ts'

/** Compilers, test runners and linters. They run the project's own code; their options must not bring in other code. */
const LOADS = 'loads code or configuration'
const WRITES = 'writes files'
/** `@file` brings in more options. */
const runsInside = (operands: readonly Operand[]): Hazard[] =>
  operands
    .filter(({ text }) => leavesProject(text) || text.startsWith('@'))
    .map(({ at }) => ({ at, why: 'brings in something from outside the project' }))

const projectRunner = (isTarget: (text: string) => boolean): ToolModel =>
  options({
    hazards: {
      '-P= -E= -f= -C= -S= -B= -D= -I= --init-script= --build-file= --project-dir= --settings= -s= -e= --eval= --script= --include-build= --settings-file= --gulpfile= --gruntfile= --cwd= --justfile= -F= --override_repository= --run_under= --action_env= --shell= --shell-arg= --working-directory= -d= --rakefile= --require= -r= --bazelrc= -G= --toolchain= --project-cache-dir= --gradle-user-home= -g= -b= --execute= -E= --execute-print= --execute-continue= -p= -t= --taskfile= -c= --command= --chdir= --dir= --workspace_status_command= --shell_executable= --credential_helper= --remote_executor= --test_env= --repo_env= --package_path= --output_base= --output_user_root= --host_jvm_args= --script_path= --trace-redirect= --graphviz= --profiling-output= --chooser= --edit --dotenv-path= --dotenv-filename= --graph? --api= -R= --rakelibdir= --libdir= --tasks= --npm= --preload=':
        LOADS,
    },
    unlisted: 'open',
    operands: operands => [
      ...runsInside(operands.filter(({ text }) => !isTarget(text))),
      ...operands
        .filter(({ text }) => /^-?D|^(run|exec|x)$|^(eval|console|shell)\b|[=;!]/.test(text))
        .map(({ at }) => ({ at, why: LOADS })),
    ],
  })

export const BUILD_TOOLS: ToolTable = {
  ...tools(
    'make gmake',
    options({
      options:
        '-B -d -i -j? -k -l? -n -O? -p -q -r -R -s -S -t -w --always-make --debug? --ignore-errors --jobs? --keep-going --load-average? --just-print --dry-run --recon --output-sync? --question --silent --quiet --no-silent --stop --print-directory --no-print-directory --warn-undefined-variables --trace --print-data-base --no-builtin-rules --help --version -v -h',
      hazards: {
        '--eval= -E=': 'runs make code',
        '-f= --file= --makefile=': 'takes another makefile',
        '-C= --directory=': 'works in another directory',
        '-I= --include-dir= -e --environment-overrides -o= -W= --old-file= --new-file= --what-if= --assume-new= --assume-old=':
          LOADS,
      },
      unlisted: 'closed',
      operands: operands => [
        ...operands.filter(({ text }) => text.includes('=')).map(({ at }) => ({ at, why: 'sets a make variable' })),
        ...operands
          .filter(({ text }) => /^[/~]|\$/.test(text))
          .map(({ at }) => ({ at, why: 'names a file outside the project' })),
      ],
    }),
  ),
  ...tools(
    'tsc',
    options({
      options:
        '-p= --project= -w --watch -b --build --noEmit --listFilesOnly --pretty --incremental --strict --skipLibCheck --listFiles --showConfig --version -v --help -h --target= -t= --module= -m= --lib= --jsx= --moduleResolution= --types= --force -f --verbose --dry -d --diagnostics --extendedDiagnostics --explainFiles --traceResolution --noEmitOnError --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --noUnusedLocals --noUnusedParameters --noImplicitAny --strictNullChecks --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns --noImplicitOverride --noImplicitThis --noFallthroughCasesInSwitch --noPropertyAccessFromIndexSignature --noErrorTruncation --preserveWatchOutput --preserveSymlinks --assumeChangesOnlyAffectDirectDependencies --allowImportingTsExtensions --allowSyntheticDefaultImports --allowUnreachableCode --allowUnusedLabels --verbatimModuleSyntax --erasableSyntaxOnly --useUnknownInCatchVariables --strictFunctionTypes --strictBindCallApply --strictPropertyInitialization --forceConsistentCasingInFileNames --moduleDetection= --jsxImportSource= --maxNodeModuleJsDepth= --composite --all',
      hazards: {
        '--outFile= --outDir= --declarationDir= --generateTrace= --generateCpuProfile= --tsBuildInfoFile= --init --declaration --emitDeclarationOnly --sourceMap --clean':
          WRITES,
        '--plugins= --rootDir= --baseUrl= --locale= --allowPlugins --runExternalCode': LOADS,
      },
      values: [{ of: '-p --project', bad: /^[/~]|\.\./, why: 'names a project outside this one' }],
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'eslint',
    options({
      options:
        '--ext= --max-warnings= --format= -f= --cache --cache-strategy= --no-eslintrc --env= --global= --ignore-pattern= --rule= --parser-options=',
      hazards: {
        '-c= --config= --rulesdir= --parser= --plugin= --resolve-plugins-relative-to= --ignore-path= --flag= --inspect-config --init':
          LOADS,
        '--fix -o= --output-file= --cache-file= --cache-location= --suppress-all --suppress-rule= --prune-suppressions':
          WRITES,
      },
      values: [
        { of: '-f --format', bad: /[./\\]/, why: LOADS },
        { of: '--parser-options', bad: /^(?!(?:ecmaVersion|sourceType|ecmaFeatures\.\w+):\w+$)/, why: LOADS },
      ],
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'prettier',
    options({
      options:
        '--check -c --list-different -l --ignore-path= --log-level= --parser= --tab-width= --print-width= --stdin-filepath=',
      hazards: {
        '--write -w --cache-location= --cache': WRITES,
        '--plugin= --config= --plugin-search-dir= --find-config-path= --config-precedence=': LOADS,
      },
      unlisted: 'open',
      // The configuration beside a file may be code.
      operands: insideOnly(LOADS),
    }),
  ),
  ...tools(
    'vitest jest mocha ava tap playwright cypress karma',
    options({
      options:
        '--run --sequence.shuffle? --sequence.seed= --coverage.enabled? --coverage.reporter= --poolOptions.threads.singleThread? --poolOptions.forks.singleFork? --reporters= --coverageReporters= -t= --testNamePattern= --reporter= -R= --project= --maxWorkers= --testTimeout= --shard= --pool= --coverage --grep= -g= --testPathPattern= -w= --environment= --retry= --bail?',
      hazards: {
        '-c= --config= -r= --root= --dir= --globalSetup= --globalTeardown= --testResultsProcessor= --testSequencer= --filter= --haste= --prettierPath= --moduleNameMapper= --moduleLoader= --dependencyExtractor= --snapshotResolver= --package= --setupFiles= --setupFilesAfterEnv= --require= --import= --loader= --experimental-loader= --environment= --env= --testEnvironment= --runner= --testRunner= --transform= --preset= --rootDir= --roots= --resolver= --globals= --watchPlugins= --file= --opts= --spec= --ui= --api? --open --browser? --inspect? --inspect-brk? --node-option= --execArgv= --typecheck.checker= --projects= --moduleDirectories= --modulePaths= --snapshotSerializers= --coverageProvider= --coverage.customProviderModule= --workspace= -n= --diff= --snapshotEnvironment= --vmMemoryLimit=':
          LOADS,
        '-u --update --updateSnapshot --updateSnapshots? --outputFile= --output-file= --coverage.reportsDirectory= --coverageDirectory= --cacheDirectory= --outputTruncateLength= --clearCache --init --json= --standalone':
          WRITES,
      },
      values: [
        { of: '--reporter -R --pool', bad: /[./\\]/, why: LOADS },
        { of: '--reporters --coverageReporters --coverage.reporter', bad: /^(?![a-z-]+$)/, why: LOADS },
        { of: '--project', bad: /^[/~]|\.\./, why: LOADS },
      ],
      unlisted: 'open',
      spelling: 'loose',
      dotted: 'ask',
      operands: operands => [
        ...runsInside(operands),
        ...operands
          .slice(0, 1)
          .filter(({ text }) =>
            /^(init|codegen|open|install|install-deps|uninstall|show-report|show-trace)$/.test(text),
          )
          .map(({ at }) => ({ at, why: 'installs, opens or writes something', kind: 'choice' as const })),
      ],
    }),
  ),
  ...tools('nyc c8', nothingButHelp('runs another program')),
  ...tools(
    'pytest py.test',
    options({
      options:
        '--co --collect-only -p= -k: -m: -n= --maxfail= --tb= --durations= --cov= --color= -r= --timeout= --dist= --ignore= --deselect= --cov-report= -W= --numprocesses= --cov-branch --lf --ff --sw',
      hazards: {
        '-c= --config-file= --rootdir= --confcutdir= --pdbcls= --pdb --trace -o= --override-ini= --import-mode= --pyargs --cov-config= --tx= --px= --rsyncdir= --noconftest --pythonwarnings= -P':
          LOADS,
        '--basetemp= --junitxml= --junit-xml= --log-file= --resultlog= --report-log= --html= --debug? --pastebin= --snapshot-update --cache-clear --json-report-file= --profile-svg --benchmark-json= --benchmark-save= --benchmark-autosave --benchmark-storage= --inline-snapshot=':
          WRITES,
      },
      values: [
        { of: '--cov-report', bad: /^(?!term)/, why: WRITES },
        { of: '-p', bad: /^(?!no:[\w.-]+$)/, why: LOADS },
      ],
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'ruff',
    options({
      hazards: {
        '--fix --unsafe-fixes -o= --output-file= --add-noqa --cache-dir= --fix-only': WRITES,
        '--config=': LOADS,
      },
      unlisted: 'open',
    }),
  ),
  ...tools(
    'mypy pyright pylint flake8 bandit black isort',
    options({
      hazards: {
        '--config-file= --python-executable= --rcfile= --init-hook= --load-plugins= --plugins= --config= --custom-typeshed-dir= --shadow-file= --settings-path= --require-plugins= --append-config= --pythonpath= --project= --typeshedpath= --venvpath=':
          LOADS,
        '--install-types --cache-dir= --html-report= --xml-report= --txt-report= --junit-xml= --any-exprs-report= --linecount-report= --cobertura-xml-report= --output-file= -o= --writebaseline --createstub= --memory-xml-report= --in-place --lineprecision-report= --linecoverage-report= --any-exprs-report= --xslt-html-report= --xslt-txt-report= --junit-format= --output=':
          WRITES,
      },
      // pylint takes a class or `json:file` for a format.
      values: [{ of: '--output-format', bad: /[:./\\]/, why: 'loads code or writes a file' }],
      options: '--output-format=',
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'gcc g++ cc c++ clang clang++ ld rustc javac',
    options({
      hazards: {
        '-o= -wrapper= -B= -fplugin= -Xlinker= -specs= --specs= -load= -save-temps -MF= -Wl, -D= -I= -include= -d= -processor= -cp= -classpath= -C= --out-dir= --emit= --extern=':
          'loads code or writes a file',
      },
      options: '--version -v -dumpversion -dumpmachine --help',
      unlisted: 'closed',
      dashes: 'words',
      operands: operands => operands.map(({ at }) => ({ at, why: WRITES })),
    }),
  ),
  ...tools(
    'cmake meson ninja gradle gradlew ant sbt xcodebuild msbuild rake grunt gulp turbo nx lerna just task',
    projectRunner(() => false),
  ),
  // `//pkg:target` is a place in the workspace.
  ...tools(
    'bazel bazelisk',
    projectRunner(text => /^\/\/[\w./:@+-]*$/.test(text) && !text.split('/').includes('..')),
  ),
  ...tools(
    'mvn mvnw',
    options({
      options:
        '-q -B -U -o -e -X -V -N -T= -pl= -rf= -am -amd -fae -ff -fn -nsu -ntp -C -c -h -v --quiet --batch-mode --update-snapshots --offline --errors --debug --show-version --non-recursive --threads= --projects= --resume-from= --also-make --also-make-dependents --fail-at-end --fail-fast --fail-never --no-transfer-progress --help --version -Dtest= -Dit.test= -DskipTests -DskipITs -Dmaven.test.skip -DfailIfNoTests= -Dsurefire.failIfNoSpecifiedTests= -Dstyle.color=',
      unlisted: 'closed',
      dashes: 'words',
      operands: operands => [
        ...runsInside(operands),
        ...operands.filter(({ text }) => /[:=]/.test(text)).map(({ at }) => ({ at, why: 'runs a plugin by its name' })),
      ],
    }),
  ),
  ...tools(
    'unittest',
    options({
      options: '-s= -t= -p= -k: --start-directory= --top-level-directory= --pattern=',
      values: [{ of: '-s -t --start-directory --top-level-directory', bad: /^[/~]|\.\./, why: LOADS }],
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'json.tool',
    options(
      {
        options: '--indent=',
        unlisted: 'open',
        operands: operands => operands.slice(1).map(({ at }) => ({ at, why: WRITES })),
      },
      'nowhere',
    ),
  ),
  ...tools('ctags cscope', nothingButHelp(WRITES)),
  ...tools(
    'dotnet',
    options({
      hazards: {
        '-p= --property= --configfile= --output= -o= --runtimeconfig= --depsfile= --additionalprobingpath= --diagnostics --settings= -s= --test-adapter-path= --logger= --results-directory=':
          'loads code or writes files',
      },
      unlisted: 'open',
      operands: operands =>
        /^(exec|run|tool|script|new|add|nuget|fsi|workload)$/.test(operands[0]?.text ?? '') ||
        /\.(dll|exe|csx)$/.test(operands[0]?.text ?? '')
          ? operands.map(({ at }) => ({ at, why: 'runs a program' }))
          : operands
              .filter(({ text }) => text.startsWith('/') || text.startsWith('@') || leavesProject(text))
              .map(({ at }) => ({ at, why: 'sets a property or names a file outside the project' })),
    }),
  ),
  ...tools(
    'webpack vite rollup esbuild babel swc parcel tsup stylelint',
    options({
      hazards: {
        '-c= --config= --config-file= -r= --require= --presets= --plugins= --plugin= --custom-syntax= --processor= --config-basedir= --configPlugin= --root= --servedir= --inject= --preset= --custom-formatter= --tsconfig= --tsconfig-raw= -p=':
          LOADS,
        '--outfile= --outdir= --out-dir= --outDir= -o= -d= --output= --output-path= --out-file= --fix --metafile= --dist-dir= --cache-dir=':
          WRITES,
      },
      unlisted: 'open',
      spelling: 'loose',
      dotted: 'ask',
      operands: runsInside,
    }),
  ),
  ...tools(
    'rspec rubocop phpunit',
    options({
      options: '-f= -e= -t= -P= --format= --example= --tag= --pattern= --filter= --only=',
      hazards: {
        '-r= --require= -I= --bootstrap= -c= --config= --configuration= --options= -O= --default-path= --include-path= --plugin= -d= --extension= --printer= --loader=':
          LOADS,
        '-o= --out= -a -A --autocorrect --auto-correct --autocorrect-all --auto-correct-all --init -x --fix-layout --auto-gen-config --regenerate-todo --cache-root= --log-junit= --log-events-text= --log-teamcity= --coverage-html= --coverage-clover= --coverage-php= --coverage-text= --coverage-xml= --coverage-cobertura= --coverage-crap4j= --testdox-html= --testdox-text= --testdox-xml= --generate-configuration --migrate-configuration --cache-directory= --cache-result-file=':
          WRITES,
      },
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'tox nox',
    options({
      options: '-e= -s= -k= -t= -m=',
      hazards: {
        '-c= --conf= -f= --noxfile= -x= --override= --workdir= --root= --discover= --runner= --force-dep= -i= --index-url= --devenv= --result-json=':
          LOADS,
      },
      unlisted: 'open',
      operands: operands =>
        /^(exec|e|devenv|d|quickstart|q)$/.test(operands[0]?.text ?? '')
          ? operands.map(({ at }) => ({ at, why: 'runs a program' }))
          : [],
    }),
  ),
  ...tools(
    'ansible ansible-playbook ansible-console vagrant watchexec packer',
    nothingButHelp('runs commands of its own'),
  ),
  ...tools('shellcheck hadolint', harmless),
  ...tools(
    'markdownlint markdownlint-cli2',
    options({
      hazards: { '-r= --rules= -c= --config= -f --fix -o= --output= -p= --ignore-path=': LOADS },
      unlisted: 'open',
      operands: insideOnly(LOADS),
    }),
  ),
  ...tools(
    'actionlint',
    options({
      hazards: { '-shellcheck= -pyflakes= -config-file= -init-config': LOADS },
      unlisted: 'open',
      dashes: 'words',
    }),
  ),
}
