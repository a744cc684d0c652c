// A model on loopback that follows a script: the agent's conversation gets the next call of the script, one after the other, and
// "Done." behind the last. What an agent asks beside the conversation (titles, topics) gets a word.
import { createServer } from 'node:http'
import { isOurs, WIRES } from './model-wires.mjs'

export class ScriptedModel {
  #server
  /** Calls still to be made. */
  #script = []
  /** The call whose result is awaited. */
  #open = null
  /** A call that was interrupted: the next prompt brings what the agent says about it, or nothing does. */
  #left = null
  #made = 0
  #done = () => {}
  /** Every tool that was offered in a conversation, by name, with its definition. */
  offered = new Map()
  /** Conversations in which our tools were not offered. */
  withoutUs = 0
  requests = []

  static async listen() {
    const model = new ScriptedModel()
    model.#server = createServer((request, response) => model.#take(request, response))
    await new Promise(resolve => model.#server.listen(0, '127.0.0.1', resolve))
    return model
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`
  }

  /** A script for the next prompt. Resolves when its last result is there; `giveUp` ends it early, as an interrupt does. */
  begin(script) {
    this.#script = [...script]
    this.#left = this.#open
    this.#open = null
    const done = new Promise(resolve => {
      this.#done = resolve
    })
    return { done, giveUp: () => this.#finish() }
  }

  /** The call that is out now. */
  get open() {
    return this.#open
  }

  #finish() {
    this.#script = []
    this.#done()
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #take(request, response) {
    const path = request.url.split('?')[0]
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    let body = {}
    try {
      body = JSON.parse(Buffer.concat(chunks))
    } catch {
      // no JSON: a look at what is there, answered like any other path
    }
    const wire = request.method === 'POST' ? WIRES.find(each => each.fits(path)) : undefined
    if (!wire) return aside(path, response)
    const { tools, results } = wire.read(body)
    const out = output(response, wire.streams(body, path), wire.name !== 'gemini' && wire.name !== 'chat')
    const ours = tools.filter(({ name }) => isOurs(name))
    this.requests.push({ path, tools: tools.map(({ name }) => name), results: results.length })
    if (tools.length === 0) return wire.say(out, body, { text: 'A working day' })
    for (const { name, definition } of tools) this.offered.set(name, definition)
    if (ours.length === 0) {
      this.withoutUs += 1
      return wire.say(out, body, { text: 'No terminal is offered to me.' })
    }
    await this.#hear(results)
    wire.say(out, body, this.#move(ours, results.length))
  }

  /** Takes the result of the open call, if the agent brings it. */
  async #hear(results) {
    if (this.#left) {
      const { call, ...left } = this.#left
      this.#left = null
      await call.told(resultOf(left, results))
    }
    const text = this.#open && resultOf(this.#open, results)
    if (typeof text !== 'string') return
    const { call } = this.#open
    this.#open = null
    await call.told(text)
    if (this.#script.length === 0) this.#done()
  }

  #move(ours, before) {
    if (!this.#open) {
      const call = this.#script.shift()
      if (!call) return { text: 'Done.' }
      this.#open = { id: `call_day_${this.#made++}`, before, call, args: call.args() }
    }
    const { id, call, args } = this.#open
    const tool = ours.find(({ name }) => name.endsWith(call.tool))
    return { call: { id, name: tool.name, namespace: tool.namespace, args } }
  }
}

/** By its id; where results carry none, by how many there were before the call. */
const resultOf = ({ id, before }, results) =>
  (results.find(each => each.id === id) ?? results.filter(each => each.id === null)[before])?.text ?? null

function aside(path, response) {
  const known = /\/models/.test(path)
    ? { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] }
    : /count_?tokens/i.test(path)
      ? { input_tokens: 1, totalTokens: 1 }
      : null
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(known ?? {}))
}

function output(response, streams, named) {
  if (streams) response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return {
    streams,
    json(answer) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    },
    event(data) {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      response.write(`${named && data.type ? `event: ${data.type}\n` : ''}data: ${text}\n\n`)
    },
    end: () => response.end(),
  }
}
