import { expect, test } from 'vitest'
import { NO_MACHINE } from '../rules/no-machine.ts'
import type { Rules } from '../rules/rules.ts'
import { suggest } from './suggest.ts'

const NO_RULES: Rules = {
  rules: [],
  workspace: null,
  autoApprove: 'allowlist',
  facts: NO_MACHINE,
}
const patternsFor = (command: string): string[] =>
  suggest({ command, cwd: '/w/app' }, NO_RULES).map(({ pattern }) => pattern)

test.each([
  ['git log --oneline -3', ['git log --oneline -3', 'git log *']],
  ['npm run build', ['npm run build', 'npm run build *']],
  ['npm test', ['npm test', 'npm test *']],
  ['ls -la src', ['ls -la src', 'ls *']],
  ['python -m pytest -q', ['python -m pytest -q', 'python -m pytest *']],
  ['npx vitest run', ['npx vitest run', 'npx vitest *']],
  ['gh pr view 12', ['gh pr view 12', 'gh pr view *']],
  ['mytool build x', ['mytool build x']],
  ['git commit -m "it\'s done"', ["git commit -m 'it'\\''s done'", 'git commit *']],
  ['git status && npm test', ['git status', 'git status *', 'npm test', 'npm test *']],
])('%s', (line, expected) => {
  expect(patternsFor(line)).toEqual(expected)
})

test.each([
  'rm -rf build',
  'git push --force',
  'rm -rf /',
  'echo $(id)',
  'ls > x',
  'A=1 ls',
  'echo "a\u202eb"',
  'shutdown now',
])('nothing is suggested for %s', line => {
  expect(patternsFor(line)).toEqual([])
})

test('an option that writes is suggested word by word only', () => {
  expect(patternsFor('sort -o out in')).toEqual(['sort -o out in'])
})

test('each suggestion says what else it would let through', () => {
  expect(suggest({ command: 'git log -3', cwd: '/w' }, NO_RULES).map(({ alsoAllows }) => alsoAllows)).toEqual([
    'nothing else',
    '"git log" with any further words, except options that run a program, write a file or load code',
  ])
})

/** The last one that is offered with one key, as the card does it. */
const oneKey = (command: string): string | undefined =>
  suggest({ command, cwd: '/w/app' }, NO_RULES)
    .filter(({ stays }) => stays)
    .at(-1)?.pattern

test.each([
  ['npm install lodash', 'npm install *'],
  ['npm ci', 'npm ci *'],
  ['npm test', 'npm test *'],
  ['npm run build', 'npm run build *'],
  ['yarn test', 'yarn test *'],
  ['pnpm run lint', 'pnpm run lint *'],
  ['cargo build --release', 'cargo build *'],
  ['go test ./...', 'go test *'],
  ['git log -3', 'git log *'],
  ['git commit -m x', 'git commit *'],
  ['git switch main', 'git switch *'],
  ['docker ps -a', 'docker ps *'],
  ['docker compose logs web', 'docker compose logs *'],
  ['kubectl get pods', 'kubectl get *'],
  ['gh pr view 12', 'gh pr view *'],
  ['npx vitest run', 'npx vitest *'],
  ['python -m pytest -q', 'python -m pytest *'],
  ['ruff check src', 'ruff check *'],
])('whatever follows "%s" stays with it, so the open end is offered', (line, expected) => {
  expect(oneKey(line)).toBe(expected)
})

test.each([
  'terraform apply',
  'terraform plan -out=x',
  'git push origin main',
  'git push',
  'git pull',
  'git checkout src/a.ts',
  'git rm old.ts',
  'git clone https://example.com/a.git',
  'docker run alpine',
  'docker stop web',
  'docker push example/app',
  'docker compose up',
  'kubectl apply -f app.yaml',
  'kubectl scale deployment app',
  'helm upgrade app ./chart',
  'systemctl restart nginx',
  'gh pr merge 12',
  'aws s3 cp a s3://b',
  'apt-get install x',
  'pip install requests',
  'npm run deploy',
  'yarn add lodash',
  'make deploy',
  'make test',
  'gradle test',
  'npx some-package x',
  'python -m http.server',
  'ssh prod',
  'curl https://example.com',
  'cp a b',
  'ls -la',
  'mytool build x',
])('what may follow "%s" could reach further, so only the line itself is offered', line => {
  expect([undefined, line]).toContain(oneKey(line))
})
