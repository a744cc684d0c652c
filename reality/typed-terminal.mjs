const PROMPT = /\n\[(\d+)\]>> $/

export function say(where, line) {
  console.log(`${where.padEnd(16)} $ ${line}`)
}

/** A terminal of a person: bash, typed into. */
export class Typed {
  #screen = ''
  #ended = false

  constructor(spawn, { name, cwd, env }) {
    this.name = name
    const shell = { ...env, PS1: '\\n[$?]>> ', PS2: '' }
    this.pty = spawn('bash', ['--noprofile', '--norc'], { cols: 400, rows: 50, cwd, env: shell })
    this.pty.onData(text => {
      this.#screen += text
    })
    this.pty.onExit(() => {
      this.#ended = true
    })
  }

  press(key) {
    this.#screen = ''
    this.pty.write(key)
  }

  /** Types a line, waits for the prompt, and wants 0 and what it should bring. */
  async type(line, brings) {
    await this.begin(line, PROMPT)
    const [, code] = PROMPT.exec(this.text)
    const said = this.text
    if (code !== '0') throw new Error(`${line}: ended with ${code}\n${said}`)
    if (brings && !(brings instanceof RegExp ? brings.test(said) : said.includes(brings)))
      throw new Error(`${line}: it should say ${brings}, and says\n${said}`)
  }

  async begin(line, until) {
    await this.prompt()
    say(this.name, line)
    this.press(`${line}\n`)
    await this.#until(text => (until instanceof RegExp ? until.test(text) : text.includes(until)), line)
  }

  /** Types an answer to what the program asks, and waits for what comes then. */
  async answer(text, until) {
    this.press(text)
    await this.#until(shown => shown.includes(until), text.trim())
  }

  prompt() {
    return this.#until(text => PROMPT.test(text), 'the prompt')
  }

  /** Reads the question, then presses the key for a yes until it counts. */
  async approve(isIt, done) {
    await this.#until(text => isIt(text) && text.includes('approve'), 'the question')
    let over = false
    const settle = () => {
      over = true
    }
    done.then(settle, settle)
    while (!over) {
      // A key too soon after another decides nothing.
      await new Promise(resolve => setTimeout(resolve, 1000))
      if (!over) this.pty.write('a')
    }
    this.#screen = ''
  }

  async #until(isSo, what) {
    const last = Date.now() + 60_000
    while (!isSo(this.text)) {
      if (this.#ended || Date.now() > last) throw new Error(`${this.name}, ${what}: never\n${this.text}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  /** What it has said since the last line was typed. */
  get text() {
    return this.#screen.replaceAll(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78]|\r/g, '')
  }

  end() {
    if (!this.#ended) this.pty.kill('SIGKILL')
  }
}
