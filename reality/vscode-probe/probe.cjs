// What the test of the extension wants done inside the editor: read from files of one directory, answered beside them.
const vscode = require('vscode')
const { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const OURS = 'interactive-terminal.interactive-terminal'
const LOOK_MS = 50

const textOf = result => result.content.map(part => part.value ?? '').join('')
const terminals = () =>
  vscode.window.terminals.map(({ name, exitStatus }) => ({ name, over: exitStatus !== undefined }))

const DO = {
  hello: () => ({ version: vscode.version, app: vscode.env.appName, pid: process.pid }),
  extension: () => {
    const found = vscode.extensions.getExtension(OURS)
    return { found: found !== undefined, active: found?.isActive === true, version: found?.packageJSON.version }
  },
  tools: () => vscode.lm.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  invoke: async ({ tool, input, cancelAfterMs }) => {
    const cancel = new vscode.CancellationTokenSource()
    if (cancelAfterMs) setTimeout(() => cancel.cancel(), cancelAfterMs)
    return textOf(await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined }, cancel.token))
  },
  terminals,
  closeTerminal: ({ name }) => vscode.window.terminals.find(each => each.name === name)?.dispose(),
  focusTerminal: ({ name }) => vscode.window.terminals.findLast(each => each.name === name)?.show(),
  command: ({ id, args = [] }) => vscode.commands.executeCommand(id, ...args).then(() => null),
  setting: ({ name, value }) =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global),
}

exports.activate = context => {
  const directory = process.env.IT_PROBE
  if (!directory) return
  const taken = new Set()
  const say = (id, answer) => {
    writeFileSync(join(directory, `${id}.new`), JSON.stringify(answer))
    renameSync(join(directory, `${id}.new`), join(directory, `${id}.out`))
  }
  const timer = setInterval(() => {
    for (const file of readdirSync(directory)) {
      const id = file.replace(/\.in$/, '')
      if (!file.endsWith('.in') || taken.has(id) || existsSync(join(directory, `${id}.out`))) continue
      // An extension host that ended meanwhile has begun it: nothing is done twice.
      if (existsSync(join(directory, `${id}.taken`))) continue
      taken.add(id)
      writeFileSync(join(directory, `${id}.taken`), '')
      const wanted = JSON.parse(readFileSync(join(directory, file), 'utf8'))
      Promise.resolve()
        .then(() => DO[wanted.do](wanted))
        .then(
          value => say(id, { value: value ?? null }),
          cause => say(id, { error: String(cause?.message ?? cause) }),
        )
    }
  }, LOOK_MS)
  context.subscriptions.push({ dispose: () => clearInterval(timer) })
}
