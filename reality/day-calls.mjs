// The working day, call by call. Each call says what the agent asks, what the person does, and how what the model was told is held
// against what happened: `right` (the answer holds what it should) and `wrong` (what the model now believes and is not so).

export const headless = (command, more = {}) => ({ tool: 'memory_terminal', args: { action: 'run', command, ...more } })
export const asked = (command, more = {}) => ({
  tool: 'memory_terminal_interactive',
  args: {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command },
    ...more,
  },
})

const NOT_RUN =
  /did not run|nothing (has )?ran|nothing has run|declined|refused|needs approval|APPROVAL_REQUIRED|BLOCKED/i

/** What a model makes of an answer. Agents hand on text, JSON, or JSON in JSON: quotes and line ends are brought back. */
export function understood(answer) {
  let text = answer ?? ''
  for (let turn = 0; turn < 3; turn++)
    text = text.replaceAll(/\\+(["n/])/g, (_, which) => (which === 'n' ? '\n' : which))
  const number = /"exit_code":\s*(-?\d+)/.exec(text) ?? /Exit code (-?\d+)/i.exec(text)
  return {
    text,
    exit: number ? Number(number[1]) : null,
    notRun: NOT_RUN.test(text),
    running: /"running":\s*true|^Running \(|It lives on/m.test(text),
    session: (/"session_id":\s*"([^"]+)"/.exec(text) ?? /session (req_\w+)/.exec(text))?.[1] ?? null,
    next: readOn(text),
  }
}

/** The call that an answer hands over ready-made, if it does. */
function readOn(text) {
  const at = text.search(/\{\s*"action":\s*"read_output"/)
  if (at < 0) return null
  for (let end = text.indexOf('}', at); end > 0; end = text.indexOf('}', end + 1))
    try {
      return JSON.parse(text.slice(at, end + 1))
    } catch {
      // not the brace that ends it: the next one may be
    }
  return null
}

const has = (...wanted) => ({
  check: told => ({ right: wanted.every(each => (each.test ? each.test(told.text) : told.text.includes(each))) }),
})
/** It ran, and the model knows how it ended. */
const ran = (name, ...wanted) => ({
  check: (told, { facts }) => {
    const fact = facts.of(name)
    const right = fact !== null && told.exit === fact.exit && has(...wanted).check(told).right
    if (fact === null && told.exit !== null)
      return { right, wrong: `${name}: told it ended with ${told.exit}, never ran` }
    if (fact && told.exit !== null && told.exit !== fact.exit)
      return { right, wrong: `${name}: told exit code ${told.exit}, it was ${fact.exit}` }
    if (fact && told.exit === null && told.notRun) return { right, wrong: `${name}: told it did not run, it did` }
    return { right }
  },
})
const never = (name, ...wanted) => ({
  check: (told, { facts }) => {
    const right = told.notRun && has(...wanted).check(told).right
    if (facts.of(name)) return { right, wrong: `${name}: should not have run and did` }
    return told.exit === null ? { right } : { right, wrong: `${name}: told exit code ${told.exit}, never ran` }
  },
})
const here = {
  check: (told, { dir }) => {
    const said = /(\/[\w./-]*\/(?:shop|home|it-day)[\w./-]*)/.exec(told.text)?.[1]
    return told.text.includes(dir)
      ? { right: true }
      : { right: false, wrong: said ? `told to be in ${said}` : undefined }
  },
}
/** Goes on with the answer before: the call it hands over, else its session id; without either a model is stuck. */
const goesOn = (tool, more = {}) => ({
  tool,
  args: last => {
    const output = { wait_for: 'exit', wait_ms: 30_000, ...more }
    if (last.next && Object.keys(more).length === 0) return last.next
    const session_id = last.next?.session_id ?? last.next?.target?.session_id ?? last.session ?? 'nobody-told-me'
    return tool === 'memory_terminal'
      ? { action: 'read_output', session_id, ...output }
      : { action: 'read_output', target: { session_id }, output }
  },
})

/** Twenty-two calls in one conversation: an agent that works through a list. */
export const MORNING = [
  { ...headless('pwd'), ...here },
  { ...headless('ls'), ...has('README.md', 'package.json') },
  { ...headless('cat README.md'), ...has('Ask Ann about the red ones') },
  { ...headless('git log -3'), ...has('the shop opens', 'hats') },
  { ...headless('git status'), ...has(/clean/) },
  { ...headless('grep -n TODO src/app.js'), ...has('a second till') },
  {
    ...headless('ls *.txt'),
    check: told => ({
      right: /a\.txt/.test(told.text) || told.notRun,
      ...(/No such file/.test(told.text) ? { wrong: 'told there is no *.txt, there are two' } : {}),
    }),
  },
  { ...headless('npm test'), ...ran('test', '1 failed') },
  { ...headless('node build.cjs'), ...never('build') },
  { ...asked('node build.cjs'), person: { command: 'node build.cjs' }, ...ran('build', 'built shop.out') },
  { ...asked('npm install ./vendor/left'), person: { command: 'npm install' }, ...has(/added 1 package/) },
  {
    ...asked('rm shop.out'),
    person: { command: 'rm shop.out', declines: 'the build is for Ann' },
    check: (told, { exists }) => ({
      right: told.notRun && told.text.includes('the build is for Ann'),
      ...(exists('shop.out') ? {} : { wrong: 'rm shop.out ran although it was declined' }),
    }),
  },
  {
    ...asked('npm run deploy -- --live'),
    person: { command: 'npm run deploy', edits: 'npm run deploy -- --try' },
    check: (told, { facts }) => {
      const did = facts.of('deploy')?.args.join(' ')
      return {
        right: did === '--try' && told.exit === 0 && told.text.includes('npm run deploy -- --try'),
        ...(did === '--try' ? {} : { wrong: `deploy ran with ${did}` }),
      }
    },
  },
  { ...asked('node fail.cjs'), person: { command: 'node fail.cjs' }, ...ran('fail', 'no such customer') },
  { ...headless('npm run flood'), ...ran('flood') },
  { ...goesOn('memory_terminal', { search: 'THE LAST LINE' }), ...has('THE LAST LINE') },
  { ...asked('node flood.cjs'), person: { command: 'node flood.cjs' }, ...ran('flood') },
  { ...asked('cat README.md | head -1'), ...has('# Shop') },
  {
    ...headless('npm run long -- first', { timeout_ms: 1000 }),
    check: told => ({ right: told.running, ...(told.exit === null ? {} : { wrong: 'told it ended, it runs' }) }),
  },
  { ...goesOn('memory_terminal'), ...ran('first', 'first is over') },
  {
    ...asked('node long.cjs second', { runtime: { timeout_ms: 4000 } }),
    person: { command: 'node long.cjs second' },
    check: told => ({ right: told.running || told.exit === 0 }),
  },
  { ...goesOn('memory_terminal_interactive'), ...ran('second', 'second is over') },
]

/** Over HTTP, against the host that `npm start` runs. */
export const OVER_HTTP = [
  { ...headless('pwd'), check: (told, its) => (told.notRun ? { right: true } : here.check(told, its)) },
  {
    tool: 'memory_terminal',
    args: (_, { dir }) => headless('git log -3', { cwd: dir }).args,
    ...has('the shop opens'),
  },
  {
    tool: 'memory_terminal_interactive',
    args: (_, { dir }) => asked('node note.cjs http', { runtime: { cwd: dir } }).args,
    person: { command: 'node note.cjs http' },
    ...ran('http', 'noted http'),
  },
]
