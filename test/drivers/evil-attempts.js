// What a page tries that wants to answer for a person. Put into every page of the test's browser.
globalThis.attempts = {
  async fetches(target) {
    const tries = {
      cors: { mode: 'cors' },
      credentials: { mode: 'cors', credentials: 'include' },
      noCors: { mode: 'no-cors' },
      post: { method: 'POST', mode: 'no-cors', body: 'x' },
      put: { method: 'PUT', mode: 'cors' },
      header: { mode: 'cors', headers: { 'x-mine': '1' } },
    }
    const outcome = {}
    for (const [name, how] of Object.entries(tries))
      outcome[name] = await fetch(target, how).then(
        async response => `${response.type} ${(await response.text()).length}`,
        () => 'blocked',
      )
    return outcome
  },

  sockets(addresses) {
    const open = address =>
      new Promise(resolve => {
        const socket = new WebSocket(address)
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('refused')
      })
    return Promise.all(addresses.map(open))
  },

  /** The quiet ways: whoever answers with `load` or `open`, or lets itself be read, was reached. */
  async quietWays(target) {
    const element = (kind, more) =>
      new Promise(resolve => {
        const one = Object.assign(document.createElement(kind), more)
        one.onload = () => resolve('loaded')
        one.onerror = () => resolve('refused')
        setTimeout(resolve, 3000, 'nothing')
        document.head.append(one)
      })
    const outcome = {
      events: await new Promise(resolve => {
        const events = new EventSource(target)
        events.onopen = () => resolve('open')
        events.onerror = () => resolve('refused')
      }),
      picture: await element('img', { src: target }),
      style: await element('link', { rel: 'stylesheet', href: target }),
      preload: await element('link', { rel: 'preload', as: 'script', href: target }),
      worker: await new Promise(resolve => {
        try {
          new Worker(target).onerror = () => resolve('refused')
        } catch (cause) {
          resolve(cause.name)
        }
      }),
      serviceWorker: await navigator.serviceWorker.register(target).then(
        () => 'registered',
        cause => cause.name,
      ),
    }
    // Sent without an answer to read; whether it changed anything is asked elsewhere.
    navigator.sendBeacon(target, '{"type":"answer"}')
    document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: target }))
    document.head.append(
      Object.assign(document.createElement('script'), {
        type: 'speculationrules',
        text: JSON.stringify({ prerender: [{ urls: [target] }] }),
      }),
    )
    return outcome
  },

  async frames(target) {
    const found = []
    for (const kind of ['iframe', 'object', 'embed', 'frame']) {
      const element = document.createElement(kind)
      const ready = new Promise(resolve => {
        element.onload = resolve
        element.onerror = resolve
        setTimeout(resolve, 1000)
      })
      element.setAttribute(kind === 'object' ? 'data' : 'src', target)
      document.body.append(element)
      await ready
      found.push(element.contentDocument?.body?.textContent ?? '')
    }
    return found.join('')
  },

  scripts(addresses) {
    const load = address =>
      new Promise(resolve => {
        const script = document.createElement('script')
        script.src = address
        script.onload = () => resolve('loaded')
        script.onerror = () => resolve('refused')
        document.head.append(script)
      })
    return Promise.all(addresses.map(load))
  },

  popUp(target) {
    globalThis.other = window.open(target)
    globalThis.other?.postMessage({ type: 'answer' }, '*')
  },

  hold() {
    try {
      return [globalThis.other?.closed, String(globalThis.other?.document?.title)]
    } catch {
      return ['no access']
    }
  },

  form(target) {
    const form = document.createElement('form')
    form.method = 'POST'
    form.action = target
    const field = document.createElement('input')
    field.name = '{"type":"answer","x":"'
    field.value = '"}'
    form.append(field)
    document.body.append(form)
    form.submit()
  },

  async kept() {
    return {
      cookies: document.cookie,
      local: Object.keys(localStorage),
      session: Object.keys(sessionStorage),
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: await caches.keys(),
      address: location.href,
      name: window.name,
      stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    }
  },

  /** From inside the window itself, as if something of a command had become code there. */
  async fromInside(outside) {
    const tried = {}
    const attempt = async (name, work) => {
      // Later: what a debugger evaluates is allowed more than a page is.
      await new Promise(resolve => setTimeout(resolve))
      try {
        await work()
        tried[name] = 'done'
      } catch (cause) {
        tried[name] = cause.name
      }
    }
    await attempt('html', () => {
      document.createElement('div').innerHTML = '<img src=x onerror="globalThis.ran=1">'
    })
    await attempt('script', () => {
      const script = document.createElement('script')
      script.text = 'globalThis.ran=1'
    })
    await attempt('eval', () => new Function('globalThis.ran=1')())
    await attempt('attribute', () => document.createElement('div').setAttribute('onclick', 'globalThis.ran=1'))
    await attempt('fetch', () => fetch(outside, { mode: 'no-cors' }))
    await attempt('socket', async () => {
      const [outcome] = await globalThis.attempts.sockets([outside.replace('http', 'ws')])
      if (outcome === 'refused') throw new TypeError('refused')
    })
    await attempt('policy', () => trustedTypes.createPolicy('mine', {}))
    await attempt('picture', async () => {
      const [loaded] = await new Promise(resolve => {
        const image = new Image()
        image.onload = () => resolve([true])
        image.onerror = () => resolve([false])
        image.src = `${outside}picture`
      })
      if (!loaded) throw new TypeError('refused')
    })
    return { tried, ran: globalThis.ran ?? 0 }
  },
}
