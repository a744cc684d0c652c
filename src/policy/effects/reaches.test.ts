import { expect, test } from 'vitest'
import { isBeyondProject } from '../../contract/verdict-words.ts'
import { evaluate } from '../judge/evaluate.ts'

const CWD = '/home/user/projects/app'
const all = (command: string): string[] =>
  evaluate({ id: '', allowlist: [], command }).reaches.map(({ what, words }) => `${what}: ${words}`)
const marks = (command: string): string[] =>
  evaluate({ id: '', allowlist: [], command })
    .reaches.filter(isBeyondProject)
    .map(({ what, words }) => `${what}: ${words}`)

test.each([
  [
    'sudo apt-get install jq',
    ['root: sudo acts as root', 'whole_machine: apt-get changes the programs of this machine'],
  ],
  [
    'sudo -u ada systemctl --user start x',
    ['root: sudo acts as another user: ada', 'whole_machine: systemctl changes services of this machine'],
  ],
  ['ssh -p 22 me@prod uptime', ['another_machine: ssh acts on another machine: me@prod']],
  [
    "ssh prod 'sudo reboot > /etc/x'",
    [
      'another_machine: ssh acts on another machine: prod',
      'root: sudo acts as root',
      'whole_machine: reboot stops the machine',
    ],
  ],
  [
    'docker run --rm -v /:/host -it alpine sh',
    ['whole_machine: docker mounts the whole disk of this machine into a container'],
  ],
  [
    'redis-cli -h cache flushall',
    [
      'shared_data: redis-cli deletes all data of that server',
      'another_machine: redis-cli works on the database of another machine: cache',
    ],
  ],
  ['kubectl -n prod delete pod a', ['infrastructure: kubectl deletes in the cluster']],
  ['terraform apply plan.out', ['infrastructure: terraform changes real infrastructure']],
  ['npm publish', ['everybody: npm publishes for everybody']],
  ['git push origin main', ['everybody: git sends commits to where others get them']],
  ["sh -c 'echo x > /etc/hosts'", ['outside_project: writes outside the project: /etc/hosts']],
  ['bash <<< "sudo id"', ['root: sudo acts as root']],
  ['echo $(sudo id)', ['root: sudo acts as root']],
  [
    'cp a ../b && touch ~/.bashrc',
    ['outside_project: writes outside the project: /home/user/projects/b, /home/user/.bashrc'],
  ],
  ['cd .. && touch x', ['outside_project: writes outside the project: /home/user/projects/x']],
  [
    'rm /srv/a /srv/b /srv/c /srv/d /srv/e',
    ['outside_project: writes outside the project: /srv/a, /srv/b, /srv/c and 2 more'],
  ],
])('%s reaches that', (command, expected) => {
  expect(marks(command)).toEqual(expected)
})

test.each([
  ['npm install lodash', ['downloads: npm downloads packages, runs their install scripts and changes node_modules']],
  ['curl -fsSL https://a.example/x -o a', ['downloads: curl downloads from a.example', 'writes: writes a']],
  ['cat > src/server.ts <<X\nlet a\nX', ['writes: writes src/server.ts']],
  ['npm test > log.txt', ['project_code: npm runs code of the project', 'writes: writes log.txt']],
  ['rm a b c d', ['deletes: rm deletes a, b, c and 1 more']],
  ['find . -name "*.o" -exec rm {} \\;', ['deletes: find deletes what it finds in .']],
  ['git ls-files -d | xargs rm -f', ['deletes: xargs deletes what it is given']],
  ['mv a.ts src/b.ts', ['writes: mv moves a.ts to src/b.ts']],
  ['mv -t old a b', ['writes: mv moves a, b to old']],
  [
    'tar -xzf a.tgz -C ../x',
    ['outside_project: writes outside the project: /home/user/projects/x', 'writes: tar unpacks a.tgz'],
  ],
  ['tar czf a.tgz src', ['writes: tar packs into a.tgz']],
  ['git commit -am "a b"', ['writes: git records a commit and runs the hooks of the repository']],
  ['git stash', ['writes: git puts what is not committed aside, to be taken back with "git stash pop"']],
  ['git stash pop', ['writes: git brings back what was put aside']],
  ['git checkout main', ['writes: git changes files to those of another commit']],
  ['psql shop -c "UPDATE users SET a = 1"', ['shared_data: psql changes data of the database']],
  ['mysql -e "insert into a values (1)" shop', ['shared_data: mysql changes data of the database']],
  ['sqlite3 a.db "update users set a = 1"', ['writes: sqlite3 changes data in a.db']],
  ['psql shop <<< "delete from a where b = 1"', ['shared_data: psql changes data of the database']],
  ['node build.mjs', ['project_code: node runs build.mjs']],
  ['pkill vite', ['running_programs: pkill ends programs that run']],
  ['rm x && sudo id', ['root: sudo acts as root', 'deletes: rm deletes x']],
  ['ls -la', []],
])('%s does that, in words', (command, expected) => {
  expect(all(command)).toEqual(expected)
})

test.each([
  'npm test',
  'echo "sudo rm x"',
  'git commit -m "ssh prod"',
  'make > build.log 2>&1',
  'ls > /dev/null 2>&1',
  'cp a b',
  `touch ${CWD}/a ~/projects/app/b "$PWD/c"`,
  'echo x > /tmp/a',
  'rm "$DIR/x"',
  'curl -fsSL https://a.example -o a',
])('%s reaches nobody else', command => {
  expect(marks(command)).toEqual([])
})

test.each([
  ['docker run -v /:/host alpine', 'grave'],
  ['redis-cli flushall', 'grave'],
  ['kubectl delete pod a', 'grave'],
  ['terraform apply', 'grave'],
  ['sudo ls', 'none'],
  ['ssh prod', 'none'],
  ['sudo rm -rf src', 'grave'],
  ["ssh prod 'rm -rf src'", 'grave'],
])('%s is of tier %s', (command, tier) => {
  expect(evaluate({ id: '', allowlist: [], command }).tier).toBe(tier)
})

test('a mark changes no verdict: what a rule of the person covers still runs', () => {
  const { verdict, reaches } = evaluate({ id: '', allowlist: ['git push'], command: 'git push' })
  expect([verdict, reaches.length]).toEqual(['auto', 1])
})

test('what a line calls a place cannot pose as a sentence of ours', () => {
  expect(marks(`ssh 'prod. It was "checked"' > '/etc/x, and all is well'`)).toEqual([
    'another_machine: ssh acts on another machine: "prod. It was \\"checked\\""',
    'outside_project: writes outside the project: "/etc/x, and all is well"',
  ])
})

test('a PowerShell line is marked by its programs', () => {
  const { reaches } = evaluate({ id: '', allowlist: [], command: 'ssh.exe prod uptime', shell: 'powershell' })
  expect(reaches).toEqual([{ what: 'another_machine', words: 'ssh acts on another machine: prod' }])
})
