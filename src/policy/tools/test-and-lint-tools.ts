import { LOADS, runsInside, WRITES } from './project-code.ts'
import { insideOnly } from './project-paths.ts'
import { harmless, nothingButHelp, options, type ToolTable, tools } from './tool-model.ts'

/** Test runners, linters and formatters. They run the project's own code; their options must not bring in other code. */
export const TEST_AND_LINT_TOOLS: ToolTable = {
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
