import { type ArgWords, type EffectRow, first, has, hostIn, isHere, listed, named, operandsOf } from './effect-row.ts'

/** What `find` and `xargs` put in its place. */
const FOUND = '{}'
const EXECUTES = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/
const isDeleter = (word = ''): boolean => /^(?:.*\/)?(?:rm|rmdir|unlink|shred)$/.test(word)

const hostOf = (words: ArgWords): string | undefined => words.map(hostIn).find(host => host !== undefined)
const fromHost = (words: ArgWords): string => {
  const host = hostOf(words)
  return host === undefined ? '' : ` from ${named(host)}`
}
const isBareOr = (pattern: RegExp) => (words: ArgWords) => {
  const [command] = operandsOf(words)
  return command === undefined ? !has(/^-/)(words) : pattern.test(command)
}

/** What a command does in the project itself, in words for whoever decides: it downloads, it deletes, it runs the project's code. */
export const DOES_HERE: readonly EffectRow[] = [
  {
    program: /^(npm|pnpm|bun)$/,
    when: first(/^(i|in|install|ci|clean-install|add|update|up|upgrade|rebuild|link)$/),
    does: 'downloads packages, runs their install scripts and changes node_modules',
    tier: 'none',
    reaches: 'downloads',
    examples: {
      matches: ['npm install lodash', 'npm ci', 'pnpm add -D x'],
      spares: ['npm test', 'npm ls', 'npm run i'],
    },
  },
  {
    program: /^yarn$/,
    when: isBareOr(/^(install|add|up|upgrade)$/),
    does: 'downloads packages, runs their install scripts and changes node_modules',
    tier: 'none',
    reaches: 'downloads',
    examples: { matches: ['yarn', 'yarn add x'], spares: ['yarn test', 'yarn --version'] },
  },
  {
    program: /^(npx|bunx|uvx|pipx)$/,
    when: words => operandsOf(words).length > 0,
    does: 'runs a package, and downloads it first if it is not here',
    tier: 'none',
    reaches: 'downloads',
    wraps: true,
    examples: { matches: ['npx create-app shop', 'uvx ruff'], spares: ['npx', 'npm x'] },
  },
  {
    program: /^(pip|pip3|uv|poetry|pdm|conda|mamba|gem|bundle|composer|cargo|go|dotnet)$/,
    when: words =>
      first(/^(install|add|sync|update|upgrade|get|require|restore|fetch|download|create)$/)(words) ||
      (operandsOf(words)[0] === 'pip' && operandsOf(words)[1] === 'install'),
    does: 'downloads and installs packages',
    tier: 'none',
    reaches: 'downloads',
    examples: {
      matches: ['pip install requests', 'uv pip install x', 'cargo add serde', 'go get x', 'bundle install'],
      spares: ['pip list', 'cargo build', 'go test ./...', 'gem list'],
    },
  },
  {
    program: /^(docker|podman|nerdctl|docker-compose)$/,
    when: has(/^(pull|build|buildx|up)$/),
    does: 'downloads images and runs what is in them or builds from them',
    tier: 'none',
    reaches: 'downloads',
    examples: {
      matches: ['docker pull alpine', 'docker compose up -d', 'podman build .'],
      spares: ['docker ps', 'docker images'],
    },
  },
  {
    program: /^(curl|wget)$/,
    when: words => operandsOf(words, '-o -O -H -d -X -u -A -e -b -c').length > 0 && !isHere(hostOf(words) ?? ''),
    does: words => `downloads${fromHost(words)}`,
    tier: 'none',
    reaches: 'downloads',
    examples: {
      matches: ['curl -fsSL https://a.example/x.sh', 'wget https://a.example/x'],
      spares: ['curl http://localhost:3000/health', 'curl', 'echo curl'],
    },
  },
  {
    program: /^git$/,
    when: first(/^(clone|fetch|pull|submodule)$/, '-C -c'),
    does: words => `gets commits from elsewhere${fromHost(words)}`,
    tier: 'none',
    reaches: 'downloads',
    examples: { matches: ['git pull', 'git clone https://a.example/x'], spares: ['git status', 'git log', 'git push'] },
  },
  {
    program: /^(rm|rmdir|unlink|rimraf|del-cli|shred|srm|rd|del|erase)$/i,
    when: words => operandsOf(words).some(word => word !== FOUND),
    does: words =>
      `deletes ${listed(
        operandsOf(words).filter(word => word !== FOUND),
        'files',
      )}`,
    tier: 'none',
    reaches: 'deletes',
    examples: {
      matches: ['rm a', 'rm -rf build dist', 'rmdir old', 'xargs rm -f a'],
      spares: ['rm', 'rm --help', 'echo rm a', 'find . -exec rm {} +'],
    },
  },
  {
    program: /^git$/,
    when: first(/^(clean|rm)$/, '-C -c'),
    does: words =>
      operandsOf(words, '-C -c')[0] === 'rm' ? 'deletes files of the project' : 'deletes files that git does not know',
    tier: 'none',
    reaches: 'deletes',
    examples: { matches: ['git clean -fd', 'git rm a.ts'], spares: ['git status', 'git log clean'] },
  },
  {
    program: /^(find|fd|fdfind)$/,
    when: words => has(/^-delete$/)(words) || words.some((word, i) => EXECUTES.test(word) && isDeleter(words[i + 1])),
    does: words => {
      const from = words[0]?.startsWith('-')
        ? []
        : words.slice(
            0,
            words.findIndex(word => /^[-(!]/.test(word)),
          )
      return `deletes what it finds${from.length > 0 ? ` in ${listed(from, '')}` : ''}`
    },
    tier: 'none',
    reaches: 'deletes',
    wraps: true,
    examples: {
      matches: ['find . -name x -delete', 'find a b -type f -exec rm -f {} +', 'fd -e tmp -x rm'],
      spares: ['find . -name delete', 'find . -exec wc {} +'],
    },
  },
  {
    program: /^(xargs|parallel)$/,
    when: words => words.some(isDeleter),
    does: 'deletes what it is given',
    tier: 'none',
    reaches: 'deletes',
    wraps: true,
    examples: { matches: ['xargs rm -f', 'xargs -0 -I{} rm {}'], spares: ['xargs wc', 'xargs echo a'] },
  },
  {
    program: /^(npm|pnpm|yarn|bun)$/,
    when: first(/^(run|run-script|test|t|start|exec|x)$/),
    does: 'runs code of the project',
    tier: 'none',
    reaches: 'project_code',
    examples: { matches: ['npm test', 'npm run build', 'yarn test'], spares: ['npm install', 'npm ls'] },
  },
  {
    program: /^(make|gmake|just|task|rake|gradlew?|mvnw?|ant|tox|nox|pytest|jest|vitest|mocha|tsx|ts-node)$/,
    does: 'runs code of the project',
    tier: 'none',
    reaches: 'project_code',
    examples: { matches: ['make', 'pytest -q', 'gradlew build'], spares: ['make --version', 'cmake .'] },
  },
  {
    program: /^(node|python\d?(\.\d+)?|ruby|perl|php|bash|sh|zsh|dash|deno)$/,
    when: words => operandsOf(words).length > 0 || has(/^-(e|c|p|-eval|-print)$/)(words),
    does: words =>
      has(/^-([a-z]*c|e|p|-eval|-print)$/)(words)
        ? 'runs code that is in the line'
        : `runs ${listed(operandsOf(words).slice(0, 1), 'a script')}`,
    tier: 'none',
    reaches: 'project_code',
    wraps: true,
    examples: { matches: ['node build.mjs', 'python3 -c pass', 'bash deploy.sh'], spares: ['node', 'nodejs-doc x'] },
  },
  {
    program: /^(kill|pkill|killall|taskkill)$/i,
    when: words => operandsOf(words).length > 0 || has(/^-\d+$/)(words),
    does: 'ends programs that run',
    tier: 'none',
    reaches: 'running_programs',
    examples: { matches: ['kill 123', 'pkill -f vite'], spares: ['kill', 'pgrep vite'] },
  },
]
