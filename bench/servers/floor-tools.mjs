// The tools of both floors, the one by hand and the one on the SDK.
import { begin, kill, read, run } from './floor-runs.mjs'

const TOOLS = {
  run: [['command'], ({ command }, signal) => run(command, signal)],
  begin: [['command'], ({ command }) => ({ id: begin(command).id })],
  read: [['id', 'cursor'], ({ id, cursor, ...more }) => read(id, cursor, more)],
  kill: [['id'], async ({ id }) => ({ killed: await kill(id).then(() => true) })],
}

export const toolList = Object.entries(TOOLS).map(([name, [required]]) => ({
  name,
  description: `${name} a command`,
  inputSchema: { type: 'object', properties: {}, required },
}))

export async function callTool({ name, arguments: args }, signal) {
  return { content: [{ type: 'text', text: JSON.stringify(await TOOLS[name][1](args, signal)) }] }
}
