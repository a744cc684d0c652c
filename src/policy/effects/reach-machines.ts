import { type ArgWords, type EffectRow, has, hostIn, isHere, named, operandsOf, optionValue } from './effect-row.ts'

const SSH_VALUES = '-p -i -l -o -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w -B -I -P'
const remoteIn = (words: ArgWords): string | undefined =>
  words.map(word => /^(?:rsync:\/\/)?((?:[\w.-]+@)?[\w.-]{2,}|\[[\w:]+\])::?(?!\\)/.exec(word)?.[1]).find(Boolean)
const databaseHost = (words: ArgWords): string | undefined => {
  const named = optionValue(words, '-h', '--host') ?? words.map(hostIn).find(host => host !== undefined)
  return named === undefined || isHere(named) || named.startsWith('-') ? undefined : named
}

/** Commands that act on another machine, or send it something. */
export const REACHES_MACHINES: readonly EffectRow[] = [
  {
    program: /^(ssh|mosh|sftp|telnet|autossh|sshpass)$/,
    when: words => words.length > 0 && !has(/^-[VQ]/)(words),
    does: words => {
      const [host] = operandsOf(words, SSH_VALUES)
      return host === undefined ? 'acts on another machine' : `acts on another machine: ${named(host)}`
    },
    tier: 'none',
    reaches: 'another_machine',
    wraps: true,
    examples: { matches: ['ssh prod', 'ssh -p 22 me@prod uptime', 'mosh prod'], spares: ['ssh -V', 'ssh-keygen -l'] },
  },
  {
    program: /^(scp|rsync)$/,
    when: words => remoteIn(operandsOf(words, SSH_VALUES)) !== undefined,
    does: words => `copies from or to another machine: ${named(remoteIn(operandsOf(words, SSH_VALUES)) ?? '')}`,
    tier: 'none',
    reaches: 'another_machine',
    examples: { matches: ['scp a prod:/srv', 'rsync -a dist/ me@prod:www/'], spares: ['rsync -a a/ b/', 'scp a b'] },
  },
  {
    program: /^ansible(-playbook|-pull|-console)?$/,
    when: words => !has(/^(--check|-C|--list-\w+|--syntax-check)$/)(words),
    does: 'acts on other machines',
    tier: 'none',
    reaches: 'another_machine',
    examples: { matches: ['ansible-playbook site.yml', 'ansible all -m ping'], spares: ['ansible-playbook --check a'] },
  },
  {
    program: /^(psql|pg_restore|mysql|mariadb|mongo|mongosh|redis-cli|sqlcmd|clickhouse-client|cockroach)$/,
    when: words => databaseHost(words) !== undefined,
    does: words => `works on the database of another machine: ${named(databaseHost(words) ?? '')}`,
    tier: 'none',
    reaches: 'another_machine',
    examples: {
      matches: ['psql -h db.example shop', 'mysql --host=db1', 'mongosh mongodb://me@db.example/shop'],
      spares: ['psql shop', 'psql -h localhost shop', 'redis-cli -h 127.0.0.1 get a'],
    },
  },
  {
    program: /^curl$/,
    when: words => sendsData(words) && !words.includes('-G') && !words.includes('--get') && !staysHere(words),
    does: 'sends data to another machine',
    tier: 'none',
    reaches: 'another_machine',
    examples: {
      matches: [
        'curl -X POST https://api.example/x',
        'curl -sXDELETE https://api.example/x/1',
        "curl -d '{}' https://api.example",
        'curl --data-binary @a https://a.example',
        'curl -F f=@a https://a.example',
      ],
      spares: [
        'curl -fsSL https://a.example',
        'curl -X GET https://a.example',
        'curl -d x http://localhost:3000/a',
        'curl -G -d q=1 https://a.example',
      ],
    },
  },
  {
    program: /^(wget|http|https|xh|invoke-webrequest|invoke-restmethod|iwr|irm)$/i,
    when: words => has(/^--(post|body)-|^--method=(?!GET|HEAD)|^(POST|PUT|PATCH|DELETE)$/i)(words) && !staysHere(words),
    does: 'sends data to another machine',
    tier: 'none',
    reaches: 'another_machine',
    examples: {
      matches: ['wget --post-data=a https://a.example', 'http POST a.example', 'irm -Method Put https://a.example'],
      spares: ['wget https://a.example', 'http POST localhost:3000/a'],
    },
  },
]

const LOCAL_URL = /^(?:https?:\/\/)?(?:localhost|[\w-]+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\])(?::\d+)?(?:[/?]|$)/i
/** All addresses it names are of this machine. */
const staysHere = (words: ArgWords): boolean =>
  words.some(word => LOCAL_URL.test(word)) && !words.some(word => /^https?:\/\//i.test(word) && !LOCAL_URL.test(word))

function sendsData(words: ArgWords): boolean {
  return words.some((word, i) => {
    const method = /^(?:-[a-zA-Z#]*X|--request=)(.+)$/.exec(word)?.[1]
    if (method !== undefined) return !/^(GET|HEAD|OPTIONS)$/i.test(method)
    if (/^(?:-[a-zA-Z#]*X|--request)$/.test(word)) return !/^(GET|HEAD|OPTIONS)$/i.test(words[i + 1] ?? 'GET')
    return /^--(?:data|json|form|upload-file|url-query)|^-[sSfLkviN#]*[dFT]/.test(word)
  })
}
