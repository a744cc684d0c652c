import { readPattern } from '../rules/pattern.ts'
import type { Rule } from '../rules/rules.ts'
import type { RuleExamples } from './rule-examples.ts'

/**
 * What runs without asking out of the box, each with its reason (docs/spec.md D18). `PM_TERM_AUTO_APPROVE=never` switches all off.
 * The option models keep an open end from writing or running anything; the reach keeps it inside the workspace.
 *
 * reach: nothing_read · workspace: reads files, each of which lies in a workspace the person bound and is nothing secret
 * (reads/) · repository: reads the repository there · trusted: runs code of the project, so only in a workspace the person trusts
 */
export interface DefaultRow extends RuleExamples {
  readonly pattern: string
  readonly reach: Rule['reach']
  readonly why: string
  /** Scripts of the project that an interpreter may run, by their path. */
  readonly scripts?: RegExp
}

const SEARCH = 'searches files of the workspace'
const READS_REPOSITORY = 'only reads the repository'
const RUNS_TESTS = 'runs the tests of a trusted project'

/** Rows of one kind, without examples of their own. */
const each = (reach: DefaultRow['reach'], why: string, patterns: string): DefaultRow[] =>
  patterns.split('|').map(pattern => ({ pattern: pattern.trim(), reach, why }))

// biome-ignore format: a table reads best as one
export const DEFAULT_ROWS: readonly DefaultRow[] = [
  { pattern: 'pwd', reach: 'nothing_read', why: 'prints the current directory', spares: ['pwdx 1'] },
  { pattern: 'printf *', reach: 'nothing_read', why: 'prints its words', spares: ['printf -v x y'] },
  { pattern: 'command -v *', reach: 'nothing_read', why: 'says where a program is', matches: ['command -v node'], spares: ['command node'] },
  { pattern: 'echo *', reach: 'nothing_read', why: 'prints its words', matches: ['echo done'] },
  { pattern: 'which *', reach: 'nothing_read', why: 'says where a program is', matches: ['which node'] },
  { pattern: 'node --version', reach: 'nothing_read', why: 'prints a version', spares: ['node --version-evil', 'node x.js'] },
  { pattern: 'whoami', reach: 'nothing_read', why: 'prints the user name' },
  ...each('nothing_read', 'prints user and groups', 'id | id -u | id -g | id -un | id -gn'),
  { pattern: 'uname *', reach: 'nothing_read', why: 'prints the system name' },
  { pattern: 'hostname', reach: 'nothing_read', why: 'prints the name of the machine' },
  ...each('nothing_read', 'tells about the machine', 'nproc | nproc --all | arch | lscpu | locale | getconf _NPROCESSORS_ONLN | getconf LONG_BIT'),
  { pattern: 'uptime', reach: 'nothing_read', why: 'says since when the machine runs' },
  { pattern: 'free *', reach: 'nothing_read', why: 'measures the memory' },
  ...each('nothing_read', 'measures the disks', 'df | df -h | df -h .'),
  ...each('nothing_read', 'prints a variable that is no secret', 'printenv PATH | printenv HOME | printenv USER | printenv SHELL | printenv PWD | printenv LANG'),
  ...each('nothing_read', 'waits', 'sleep 0.5 | sleep 1 | sleep 2 | sleep 3 | sleep 5'),
  { pattern: 'clear', reach: 'nothing_read', why: 'clears the screen' },
  { pattern: 'groups', reach: 'nothing_read', why: 'prints the groups of the user' },
  { pattern: 'seq *', reach: 'nothing_read', why: 'counts' },
  ...each('nothing_read', 'does nothing', 'false | : | true'),
  { pattern: 'type *', reach: 'nothing_read', why: 'says what a name stands for' },
  ...each('nothing_read', 'prints a version', `
    npm --version | git --version | python3 --version | python --version | node -v | npm -v | python3 -V |
    python -V | pip --version | pip3 --version | tsc --version | tsc -v | make --version | gcc --version |
    docker --version | docker -v | gh --version | curl --version | jq --version | rg --version | git version |
    npx --version | npx -v | elixir -v | bash --version | ruby --version | java -version | java --version | deno --version | bun --version | kubectl version --client |
    cmake --version | ruff --version | uv --version | black --version | gcc -v | g++ --version | clang --version | php --version | php -v |
    perl --version | perl -v | ruby -v | javac -version | fd --version | swift --version | zig version`),
  { pattern: 'date *', reach: 'workspace', why: 'prints the time', matches: ['date +%F'], spares: ['date -s x'] },
  { pattern: 'ls *', reach: 'workspace', why: 'lists files of the workspace', matches: ['ls -la src'], spares: ['lsof'] },
  { pattern: 'cat *', reach: 'workspace', why: 'prints files of the workspace', matches: ['cat -n a.txt'] },
  { pattern: 'head *', reach: 'workspace', why: 'prints the start of files of the workspace', matches: ['head -20 a'] },
  { pattern: 'tail *', reach: 'workspace', why: 'prints the end of files of the workspace', matches: ['tail -n 5 a'] },
  { pattern: 'sort *', reach: 'workspace', why: 'sorts lines', matches: ['sort -u a'], spares: ['sort -o x a'] },
  { pattern: 'uniq *', reach: 'workspace', why: 'drops repeated lines', spares: ['uniq a b'] },
  { pattern: 'file *', reach: 'workspace', why: 'says what kind of file it is', spares: ['file -C'] },
  { pattern: 'tree *', reach: 'workspace', why: 'lists files of the workspace', spares: ['tree -o x'] },
  { pattern: 'find *', reach: 'workspace', why: SEARCH, matches: ['find . -name x'], spares: ['find . -delete', 'find . -exec id ;'] },
  { pattern: 'grep *', reach: 'workspace', why: SEARCH, matches: ['grep -rn foo src'] },
  { pattern: 'rg *', reach: 'workspace', why: SEARCH, matches: ['rg -n foo'], spares: ['rg --pre cat x'] },
  { pattern: 'cd *', reach: 'workspace', why: 'moves within the workspace' },
  { pattern: 'wc *', reach: 'workspace', why: 'counts lines of files of the workspace' },
  { pattern: 'cut *', reach: 'workspace', why: 'prints columns' },
  ...each('workspace', 'compares files of the workspace', 'diff * | comm * | cmp *'),
  { pattern: 'stat *', reach: 'workspace', why: 'prints facts about files of the workspace' },
  { pattern: 'du *', reach: 'workspace', why: 'measures the workspace' },
  ...each('workspace', 'takes a path apart', 'basename * | dirname *'),
  ...each('workspace', 'prints parts of files of the workspace', 'sed * | awk * | jq *'),
  { pattern: 'nl *', reach: 'workspace', why: 'numbers lines' },
  ...each('workspace', 'prints lines backwards', 'tac * | rev *'),
  { pattern: 'fold *', reach: 'workspace', why: 'breaks lines' },
  { pattern: 'paste *', reach: 'workspace', why: 'joins lines' },
  ...each('workspace', 'prints bytes of files of the workspace', 'od * | xxd * | hexdump *'),
  { pattern: 'strings *', reach: 'workspace', why: 'prints texts in files of the workspace' },
  ...each('workspace', 'prints checksums of files of the workspace', 'md5sum * | sha1sum * | sha256sum * | sha512sum * | cksum *'),
  { pattern: 'realpath *', reach: 'workspace', why: 'says where a path leads' },
  { pattern: 'readlink *', reach: 'workspace', why: 'says where a link leads' },
  { pattern: 'tr *', reach: 'workspace', why: 'replaces characters' },
  ...each('workspace', 'says whether a file is there', 'test * | [ *'),
  ...each('workspace', 'lists files of the workspace', 'fd * | fdfind *'),
  ...each('workspace', 'searches files of the workspace', 'egrep * | fgrep *'),
  { pattern: 'git status *', reach: 'repository', why: READS_REPOSITORY, matches: ['git status -sb'] },
  { pattern: 'git log *', reach: 'repository', why: READS_REPOSITORY, matches: ['git log --oneline -3'], spares: ['git log --output=x'] },
  { pattern: 'git diff *', reach: 'repository', why: READS_REPOSITORY, spares: ['git diff --ext-diff', 'git difftool'] },
  { pattern: 'git show *', reach: 'repository', why: READS_REPOSITORY, spares: ['git show --textconv'] },
  { pattern: 'git branch', reach: 'repository', why: 'lists branches', spares: ['git branch -D x'] },
  { pattern: 'git remote -v', reach: 'repository', why: 'lists remotes', spares: ['git remote -v add x y'] },
  ...each('repository', READS_REPOSITORY, `
    git blame * | git ls-files * | git rev-parse * | git stash list | git shortlog * | git rev-list * |
    git describe * | git grep * | git tag | git tag -l | git tag --list | git tag -l * | git tag --list * |
    git tag -n | git tag -n1 | git tag --sort=-creatordate | git tag --sort=creatordate | git tag --sort=-v:refname |
    git tag --sort=v:refname | git branch --sort=-committerdate | git branch -a --sort=-committerdate |
    git branch -r --sort=-committerdate | git reflog -5 | git reflog -10 | git reflog -20 | git remote show | git branch -r | git branch -v | git branch -vv | git branch -av | git branch -avv |
    git branch --all | git branch --list | git branch --list * | git branch --contains * | git branch --merged |
    git branch --merged * | git branch --no-merged | git branch --no-merged * | git remote | git remote get-url * |
    git stash show * | git reflog | git reflog show * | git cat-file * | git ls-tree * | git merge-base * |
    git name-rev * | git for-each-ref * | git show-ref * | git diff-tree * | git count-objects * |
    git check-ignore * | git cherry * | git worktree list | git config --get user.name |
    git config --get user.email | git config --get remote.origin.url | git config --get init.defaultBranch |
    git config user.name | git config user.email | git whatchanged * | git range-diff * | git symbolic-ref HEAD |
    git symbolic-ref --short HEAD | git branch -a --contains * | git branch -r --contains * | git branch -a -v | git branch --remotes |
    git branch --format='%(refname:short)' | git branch -a --format='%(refname:short)' | git branch -r --format='%(refname:short)' |
    git config --get core.hooksPath | git config --get core.autocrlf | git config --get remote.origin.fetch |
    git config --get pull.rebase | git config --global user.name | git config --global user.email |
    git config init.defaultBranch | git reflog --oneline | git reflog -n 5 | git reflog -n 10 | git reflog -n 20 | git reflog -15 | git reflog -30`),
  { pattern: 'git branch -a', reach: 'repository', why: 'lists branches' },
  { pattern: 'git branch --show-current', reach: 'repository', why: 'prints the branch' },
  { pattern: 'npm test *', reach: 'trusted', why: RUNS_TESTS, spares: ['npm test --script-shell=x'] },
  { pattern: 'npx vitest run *', reach: 'trusted', why: RUNS_TESTS, spares: ['npx vitest run --config x'] },
  { pattern: 'python -m pytest *', reach: 'trusted', why: RUNS_TESTS, spares: ['python -m pytest -p x'] },
  { pattern: 'cargo test *', reach: 'trusted', why: RUNS_TESTS, spares: ['cargo test --config x'] },
  { pattern: 'go test *', reach: 'trusted', why: RUNS_TESTS, spares: ['go test -exec x'] },
  ...each('trusted', RUNS_TESTS, `
    npm run test * | npm run test:unit * | npm run test:e2e * | npm run test:ci * | npm run -s test * | npm t * |
    yarn test * | yarn run test * | pnpm test * | pnpm run test * | bun test | bun run test | npx jest * | jest * |
    vitest run * | npx mocha * | npx playwright test * | python3 -m pytest * | python -m unittest * |
    python3 -m unittest * | dotnet test | mvn test | mvn -q test | ./mvnw test | gradle test | ./gradlew test |
    deno test | deno task test | npx vitest --run | npx vitest list |
    pnpm -r test | pnpm -r run test | pnpm exec vitest run * | pnpm vitest run * | pnpm exec jest * | yarn jest * |
    yarn vitest run * | uv run pytest * | poetry run pytest * | uv run python -m pytest * | hatch test | tox -e py | tox -q |
    cargo nextest run | mvn -B test | mvn verify | mvn -q verify | ./gradlew check | gradle check |
    dotnet test --no-build | dotnet test --no-restore | bundle exec rake test | bin/rails test | python manage.py test |
    composer run test | vendor/bin/phpunit * | swift test --parallel | just test | task test | bun test * | phpunit * | ./vendor/bin/phpunit * | composer test | bundle exec rspec * | rspec * |
    rake test | mix test | swift test | ctest * | node --test * | tox | nox | pytest * |
    npm run test:integration * | npm run test:coverage * | npm run tests * | npm run unit * | npm run e2e * | npm run ci * |
    yarn test:unit * | pnpm test:unit * | yarn workspaces run test | turbo run test |
    tox -e py38 | tox -e py39 | tox -e py310 | tox -e py311 | tox -e py312 | tox -e py313 | coverage run -m pytest |
    coverage report | python3 manage.py test | cargo bench --no-run | mvn -B verify | ./mvnw verify | ./mvnw -q test |
    ./gradlew test --info | ./gradlew test --no-daemon | ./gradlew :app:test | ./gradlew --no-daemon test | gradle test --info |
    dotnet test --nologo | dotnet test -c Release | dotnet test --verbosity minimal | rake spec | bundle exec rake spec |
    bin/rspec | rails test | bazel test //... | bazel test ... | zig build test |
    dart test | flutter test | sbt test | lein test | stack test | cabal test | dune test`),
  ...each('trusted', 'checks a trusted project', `
    npm run lint * | npm run typecheck * | npm run type-check * | npm run check * | npm run format:check * |
    npm run coverage * | yarn lint * | yarn build * | yarn typecheck * | yarn check * | yarn run lint * |
    yarn run build * | yarn run typecheck * | pnpm lint * | pnpm build * | pnpm typecheck * | pnpm check * |
    pnpm run lint * | pnpm run build * | pnpm run typecheck * | npx tsc * | tsc * | npx eslint * | eslint * |
    npx prettier --check * | npx prettier -c * | prettier --check * | npx biome check * | npx biome lint * |
    biome check * | mypy * | ruff check * | ruff format --check * | black --check * | flake8 * | pylint * |
    isort --check * | isort --check-only * | pyright * | npx pyright * | python -m mypy * | python3 -m mypy * |
    cargo clippy * | cargo fmt --check | cargo fmt -- --check | cargo fmt --all -- --check | cargo fmt --all --check |
    gofmt -l * | gofmt -d * | deno lint | deno check * | pnpm exec tsc * | pnpm tsc * | yarn tsc * | pnpm exec eslint * |
    yarn eslint * | uv run mypy * | uv run ruff check * | poetry run mypy * | poetry run ruff check * | python -m ruff check * |
    python3 -m ruff check * | python -m flake8 * | python3 -m flake8 * | python -m pylint * | python3 -m pylint * |
    golangci-lint run | golangci-lint run ./... | staticcheck ./... | bundle exec rubocop | yamllint . |
    shellcheck * | actionlint | terraform validate | terraform fmt -check | python manage.py check |
    deno fmt --check | node --check * | cargo check * | go vet * | npm run types * | npm run tsc * | npm run verify * | npm run validate * |
    npm run lint:check * | npm run prettier:check * | npm run type:check * | npm run types:check * | bun run lint | bun run typecheck |
    tox -e lint | python3 manage.py check |
    mix format --check-formatted | mix credo | rubocop | dart analyze | flutter analyze | dotnet format --verify-no-changes |
    terraform fmt -check -recursive | tflint | helm lint | helm lint . | ./gradlew lint`),
  ...each('trusted', 'builds a trusted project', `
    npm run build * | cargo build * | go build * | dotnet build | dotnet build -c Release | dotnet build --no-restore |
    swift build | pnpm -r build | pnpm -r run build | bun run build | ./gradlew build | gradle build | mix compile |
    cmake --build build | cargo doc --no-deps | npm run compile * |
    npm run build:prod * | go build -o /dev/null ./... | turbo run build |
    bazel build //... | zig build | mvn compile | mvn -q compile | mvn package | ./mvnw compile | ./gradlew assemble | ./gradlew build -x test |
    ./gradlew compileJava | swift build -c release | stack build | cabal build | dune build | dotnet build --nologo`),
  ...each('trusted', 'makes what a trusted project is checked with', makeLines()),
  ...['python', 'python3'].map((program): DefaultRow => ({ pattern: `${program} *`, reach: 'trusted', why: 'runs a script of a trusted project', scripts: /^(?:\.\/)?scripts\/[\w./-]+\.py$/, matches: [`${program} scripts/check.py`], spares: [`${program} x.py`, `${program} -c 1`, `${program} scripts/../../x.py`, program] })),
  { pattern: 'node *', reach: 'trusted', why: 'runs a script of a trusted project', scripts: /^(?:\.\/)?scripts\/[\w./-]+\.[cm]?js$/, matches: ['node scripts/check.js'], spares: ['node x.js', 'node -e 1', 'node -r ./x scripts/a.js', 'node scripts/../../x.js', 'node'] },
  ...each('trusted', 'prints a version, as the project wants it', `
    yarn --version | pnpm --version | cargo --version | cargo -V | rustc --version | rustc -V | go version |
    dotnet --version | mvn --version | mvn -v | ./mvnw --version | gradle --version | ./gradlew --version |
    composer --version | bundle --version | poetry --version | rustup show | npx --no-install tsc --version`),
  // Only where no settings of the project change what npm does.
  ...each('repository', 'reads about the project', `
    npm ls * | npm list * | npm pkg get * | npm explain * | npm why * | npm root | npm prefix | npm run |
    npm config get registry`),
  ...each('trusted', 'reads about a trusted project', `
    cargo tree * | cargo metadata * | cargo metadata --no-deps --format-version 1 | cargo metadata --format-version 1 --no-deps |
    cargo metadata --format-version 1 | cargo metadata --no-deps --format-version=1 | cargo metadata --format-version=1 --no-deps | cargo metadata --no-deps |
    go env | go env GOPATH | go env GOROOT | go env GOMOD | go env GOOS GOARCH | go env GOVERSION | go env GOFLAGS | go list * | go mod graph | go mod why * | npm view * | npm outdated * | npm audit | npm config get prefix | npm root -g | pnpm ls * | pnpm list * | pnpm why * | pnpm outdated | yarn why * |
    yarn list | pip list * | pip3 list * | pip show * | pip3 show * | pip freeze | pip3 freeze`),
  ...each('nothing_read', 'looks at what runs on this machine', `
    docker ps | docker ps -a | docker ps -q | docker images | docker image ls | docker container ls |
    docker network ls | docker volume ls | docker version | ss -tlnp | ss -tln | ss -ltn | ss -ltnp | ss -tulpn |
    netstat -tlnp | netstat -tln | netstat -an`),
  { pattern: 'docker ps --format *', reach: 'nothing_read', why: 'looks at what runs on this machine', spares: ['docker rm x'] },
  { pattern: 'lsof -i *', reach: 'repository', why: 'looks at what runs on this machine' },
  // The words of other people's processes may hold secrets.
  ...each('trusted', 'looks at what runs on this machine', 'docker info | docker compose ps | ps | ps aux | ps -ef | ps -e | ps -a | ps ax'),
  // It asks where the person's own settings point, whatever lies here.
  ...each('repository', 'looks at the cluster', `
    kubectl get pods | kubectl get pods -A | kubectl get pods -o wide | kubectl get nodes | kubectl get svc |
    kubectl get services | kubectl get deployments | kubectl get ns | kubectl get namespaces |
    kubectl config current-context`),
  ...each('repository', 'looks at the project on GitHub', `
    gh pr list * | gh pr view * | gh pr status | gh pr checks * | gh pr diff * | gh issue list * | gh issue view * |
    gh run list * | gh run view * | gh repo view | gh release list`),
]

/** `make test`, with or without a word about how many at once. */
function makeLines(): string {
  const targets = [
    '',
    'all',
    'build',
    'test',
    'tests',
    'check',
    'lint',
    'typecheck',
    'help',
    'unit',
    'unit-test',
    'test-unit',
    'coverage',
    'ci',
    'verify',
    'compile',
    'type-check',
    'vet',
    'build test',
    'lint test',
    '-n',
    '-n test',
  ]

  return ['', '-s', '-j', '-j2', '-j4', '-j8']
    .flatMap(option => targets.map(target => ['make', option, target].filter(Boolean).join(' ')))
    .join('|')
}

export function defaultRules(): Rule[] {
  return DEFAULT_ROWS.map(({ pattern: text, why, reach, scripts }) => {
    const pattern = readPattern(text)
    if ('problem' in pattern) throw new Error(`default rule "${text}" ${pattern.problem}`)
    return { pattern, source: 'default', why, reach, options: 'any', ...(scripts && { scripts }) }
  })
}
