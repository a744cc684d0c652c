import { posix } from 'node:path'
import { mountsOf } from '../destructive/container-mounts.ts'
import { isPrecious } from '../destructive/precious-paths.ts'
import { type ArgWords, type EffectRow, first, has, named, operandsOf } from './effect-row.ts'

const CONTAINERS = /^(docker|podman|nerdctl)$/
const starts = (words: ArgWords): boolean => words.slice(0, 3).some(word => /^(run|create)$/.test(word))

/** Whom and what a command on this machine hits beyond the project: root, the whole machine. */
export const REACHES_HERE: readonly EffectRow[] = [
  {
    program: /^(sudo|doas|run0|pkexec)$/,
    does: words => {
      const user = userIn(words)
      return user === undefined || user === 'root' ? 'acts as root' : `acts as another user: ${named(user)}`
    },
    tier: 'none',
    reaches: 'root',
    wraps: true,
    examples: {
      matches: ['sudo apt-get update', 'doas -u ada ls', 'pkexec env', 'run0 id', 'env A=1 sudo id', 'sudo id --help'],
      spares: ['echo sudo', 'pseudo x'],
    },
  },
  {
    program: /^(su|runuser|gosu|su-exec)$/,
    does: 'acts as root or another user',
    tier: 'none',
    reaches: 'root',
    wraps: true,
    examples: { matches: ['su -c id', 'su - ada', 'gosu ada id'], spares: ['sum a', 'echo su'] },
  },
  {
    program: CONTAINERS,
    when: words => starts(words) && mountsOf(words).some(([source]) => posix.normalize(source) === '/'),
    does: 'mounts the whole disk of this machine into a container',
    tier: 'grave',
    reaches: 'whole_machine',
    wraps: true,
    examples: {
      matches: [
        'docker run --rm -v /:/host -it alpine sh',
        'podman run --mount type=bind,source=/,target=/h alpine',
        'docker create --volume=//:/x alpine',
      ],
      spares: ['docker run -v ./a:/a alpine', 'docker run -v /srv/a:/a alpine', 'docker ps'],
    },
  },
  {
    program: CONTAINERS,
    when: words => starts(words) && mountsOf(words).some(([source]) => /\/(?:docker|podman)\.sock$/.test(source)),
    does: 'lets a container start others with any rights over this machine',
    tier: 'none',
    reaches: 'whole_machine',
    wraps: true,
    examples: {
      matches: ['docker run -v /var/run/docker.sock:/var/run/docker.sock portainer'],
      spares: ['docker run -v ./docker.sock.md:/a alpine'],
    },
  },
  {
    program: CONTAINERS,
    when: words =>
      words.some(
        (word, i) =>
          /^--privileged(=true)?$|^--(?:pid|network|net|ipc|userns)=host$|^--cap-add=(?:ALL|SYS_ADMIN)$/i.test(word) ||
          (/^--(?:pid|network|net|ipc|userns|cap-add)$/.test(words[i - 1] ?? '') &&
            /^(host|ALL|SYS_ADMIN)$/i.test(word)),
      ),
    does: 'gives a container rights over this machine',
    tier: 'none',
    reaches: 'whole_machine',
    wraps: true,
    examples: {
      matches: ['docker run --privileged alpine', 'docker run --pid=host alpine', 'podman run --network host a'],
      spares: ['docker run --network web alpine', 'docker run alpine'],
    },
  },
  {
    program: CONTAINERS,
    when: words => starts(words) && preciousMount(words) !== undefined,
    does: words => `mounts ${named(preciousMount(words) ?? '')} of this machine into a container`,
    tier: 'none',
    reaches: 'outside_project',
    wraps: true,
    examples: {
      matches: ['docker run -v ~:/root alpine', 'docker run -v /etc:/e alpine'],
      spares: ['docker run -v ~/.cache:/c alpine', 'docker run -v "$PWD":/app alpine', 'docker run -v data:/d alpine'],
    },
  },
  {
    program: /^(systemctl|service|launchctl|rc-service|sc)$/,
    when: has(
      /^(start|stop|restart|reload\S*|enable|disable|mask|unmask|daemon-re\w+|edit|set-\S+|load|unload|kickstart|bootstrap|bootout|kill)$/,
    ),
    does: 'changes services of this machine',
    tier: 'none',
    reaches: 'whole_machine',
    examples: {
      matches: ['systemctl restart nginx', 'systemctl --user enable a', 'service nginx reload'],
      spares: ['systemctl status nginx', 'service nginx status', 'systemctl list-units'],
    },
  },
  {
    program: /^(crontab|at|batch)$/,
    when: words => !has(/^-[a-z]*[lV]$/)(words),
    does: 'changes what this machine runs by itself',
    tier: 'none',
    reaches: 'whole_machine',
    examples: { matches: ['crontab jobs.txt', 'crontab -e', 'at now'], spares: ['crontab -l'] },
  },
  {
    program: /^(apt|apt-get|dnf|yum|zypper|apk|snap|flatpak|brew|port|choco|winget)$/,
    when: first(/^(install|reinstall|upgrade|full-upgrade|update|add|tap|link|refresh)$/),
    does: 'changes the programs of this machine',
    tier: 'none',
    reaches: 'whole_machine',
    examples: { matches: ['apt-get -y install jq', 'brew install jq'], spares: ['apt list', 'brew info jq'] },
  },
  {
    program: /^(pacman|dpkg|rpm)$/,
    when: has(/^-(S(?![si])|U|[a-z]*i(?!n)|-install)/),
    does: 'changes the programs of this machine',
    tier: 'none',
    reaches: 'whole_machine',
    examples: { matches: ['pacman -S jq', 'dpkg -i a.deb', 'rpm -ivh a.rpm'], spares: ['pacman -Ss jq', 'dpkg -l'] },
  },
  {
    program:
      /^(useradd|adduser|usermod|groupadd|groupmod|mount|umount|modprobe|insmod|rmmod|sysctl|hostnamectl|ufw|nft|iptables|ip6tables|update-alternatives)$/,
    when: words => words.length > 0 && !has(/^(-l|-L|-a|-n|--list|--display|list|status|-S)$/)(words),
    does: 'changes how this machine is set up',
    tier: 'none',
    reaches: 'whole_machine',
    examples: {
      matches: ['useradd ada', 'mount /dev/sdb1 disk', 'sysctl -w a=1', 'ufw allow 22'],
      spares: ['mount', 'sysctl -a', 'ufw status'],
    },
  },
  {
    program: /^(env|printenv)$/,
    when: words => words.every(word => /^-(?:0|-null)$/.test(word)),
    does: 'prints all variables, which may hold secrets',
    tier: 'none',
    reaches: 'secrets',
    examples: { matches: ['env', 'printenv -0'], spares: ['env A=1 make', 'printenv PATH', 'echo env'] },
  },
  {
    program: /^(gh|glab|gcloud|az|aws|op|pass|vault|doppler|bw|security|kubectl|oc|heroku)$/,
    when: words => GIVES_SECRETS.test(operandsOf(words, '-n --namespace --profile --region -C -c').join(' ')),
    does: 'prints what may hold secrets',
    tier: 'none',
    reaches: 'secrets',
    examples: {
      matches: [
        'gh auth token',
        'kubectl -n prod get secret db -o yaml',
        'aws secretsmanager get-secret-value',
        'pass show a',
      ],
      spares: ['gh auth status', 'kubectl get pods', 'aws s3 ls', 'pass ls'],
    },
  },
]

const GIVES_SECRETS =
  /^(?:auth (?:token|print-\S+-token)|account get-access-token|(?:secretsmanager get-|ssm get-parameter|sts get-session|ecr get-login|configure get )|read |item get|show |kv get|secrets? (?:get|download|versions access)|get (?:password|item)|find-(?:generic|internet)-password|(?:get|describe) secrets?\b|config:get)/

/** A place that holds far more than a project: a home, `/etc`. */
const preciousMount = (words: ArgWords): string | undefined =>
  mountsOf(words).find(
    ([source]) => /^(?:\/.*\w|~|\$)/.test(source) && !/^\$\{?PWD/.test(source) && isPrecious(source, '/'),
  )?.[0]

/** Behind the first plain word all are another program's. */
function userIn(words: ArgWords): string | undefined {
  for (const [i, word] of words.entries()) {
    if (!word.startsWith('-')) return undefined
    if (/^(?:-u|--user)$/.test(word)) return words[i + 1]
    const glued = /^(?:-u|--user=)(.+)$/.exec(word)?.[1]
    if (glued !== undefined) return glued
  }
  return undefined
}
