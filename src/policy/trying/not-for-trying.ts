import { basename } from 'node:path'

/**
 * What is not tried, because the sandbox could only give a wrong or an empty answer: it goes straight to the person. Being here is
 * no judgement about safety; what is missing here costs a start that fails and the same question afterwards.
 */
type Why = string

const listed = (why: Why, names: string): [string, Why][] => names.split(/\s+/).map(name => [name, why])

const PROGRAMS: ReadonlyMap<string, Why> = new Map([
  ...listed(
    'needs the network',
    `curl wget ssh scp sftp rsync nc ncat netcat telnet ftp ping ping6 dig nslookup host whois traceroute tracepath mtr http https
    gh glab aws gcloud gsutil az kubectl helm heroku vercel netlify flyctl fly wrangler firebase doctl terraform tofu pulumi ansible
    ansible-playbook vagrant psql pg_dump pg_restore mysql mysqldump redis-cli mongo mongosh apt apt-get aptitude dnf yum apk pacman brew snap
    pip pip3 pipx gem bundle composer claude codex gemini`,
  ),
  ...listed(
    'asks about this machine, and the sandbox is another',
    `ps top htop btop pgrep pidof pstree lsof fuser ss netstat ip ifconfig iptables nft systemctl service journalctl dmesg loginctl crontab
    at batch df mount findmnt lsblk free vmstat iostat uptime who w last users printenv nvidia-smi docker docker-compose podman nerdctl
    buildah`,
  ),
  ...listed(
    'acts on processes or rights outside',
    `kill pkill killall skill sudo su doas pkexec runuser setpriv mount umount reboot shutdown halt poweroff renice chown chgrp passwd useradd
    userdel usermod bwrap unshare nsenter chroot`,
  ),
  ...listed(
    'is there for a person',
    'vi vim nvim nano emacs ed pico code subl less more man watch tmux screen open xdg-open ssh-keygen gpg',
  ),
  ...listed(
    'changes files',
    `rm rmdir mv cp mkdir touch ln chmod install dd truncate shred tee split csplit patch unzip mkfifo mknod fallocate chattr`,
  ),
  ...listed('is this product', 'interactive-terminal'),
  ...listed(
    'works on until it is stopped',
    'nodemon vite serve http-server live-server ngrok webpack-dev-server browser-sync uvicorn gunicorn',
  ),
  ...listed(
    'changes the shell, and the sandbox ends with the line',
    'export unset source . alias unalias declare typeset readonly',
  ),
])

/** First words, and what may follow them. */
const WORDS: readonly (readonly [words: RegExp, why: Why])[] = [
  [/^git (?:push|pull|fetch|clone|ls-remote|submodule|remote (?:update|show|prune)|lfs|svn|p4)\b/, 'needs the network'],
  [
    /^git (?:add|am|apply|bisect|checkout|cherry-pick|clean|commit|gc|init|maintenance|merge|mv|prune|rebase|reflog (?:delete|expire)|repack|reset|restore|revert|rm|stash(?! (?:list|show))|switch|update-(?:index|ref)|worktree (?:add|remove|move|prune))\b/,
    'changes files',
  ],
  [
    /^(?:npm|pnpm|yarn|bun) (?:i|in|install|ci|add|remove|rm|un|uninstall|update|up|upgrade|outdated|audit|view|info|show|search|publish|login|logout|whoami|link|create|init|dedupe|dlx|x|exec|fund|doctor|ping|self-update|set)\b/,
    'needs the network or changes files',
  ],
  [/^(?:yarn|bun)$/, 'needs the network or changes files'],
  [
    /^(?:(?:npm|pnpm|yarn|bun) (?:run )?|npx )(?:dev|start|serve|watch|preview|storybook|start:\S+|dev:\S+|watch:\S+)(?:\s|$)/,
    'works on until it is stopped',
  ],
  [
    /^(?:next|nuxt|astro|remix|ng|webpack|rails|flask|hugo|jekyll|mkdocs|php artisan) (?:dev|serve|server|s|run|start)\b/,
    'works on until it is stopped',
  ],
  [
    /^python3? -m (?:http\.server|venv|pip)\b|^python3? \S*manage\.py (?:runserver|migrate)\b/,
    'needs more than it is given',
  ],
  [
    /^(?:cargo|go|deno|uv|poetry|mvn|gradle|dotnet) (?:install|add|remove|get|publish|update|login|fetch|restore|lock|sync|deploy|mod (?:tidy|download))\b/,
    'needs the network',
  ],
  [/^sed (?:.* )?(?:-[a-zA-Z]*i\S*|--in-place\S*)(?:\s|$)|^perl (?:.* )?-\w*i/, 'changes files'],
  [/^tail (?:.* )?(?:-[a-zA-Z]*[fF]\b|--follow)/, 'works on until it is stopped'],
  [
    /(?:^|\s)--(?:watch|watchAll|serve|fix|write|in-place)(?:[=\s]|$)/,
    'changes files, or works on until it is stopped',
  ],
  [/^(?:env|export|set)$/, 'asks about this machine, and the sandbox is another'],
  [/^(?:node|python3?|ruby|irb|php|perl|bash|sh|zsh|psql|sqlite3)$/, 'is there for a person'],
]

/** Why this command is not tried; null: it may be. */
export function notForTrying(argv: readonly string[]): string | null {
  const at = argv.findIndex(word => !/^\w+=/.test(word))
  const [program = '', ...words] = at < 0 ? [] : argv.slice(at)
  const name = basename(program)
  const found = PROGRAMS.get(name)
  if (found !== undefined) return `${name} ${found}`
  const text = [name, ...words].join(' ')
  const row = WORDS.find(([pattern]) => pattern.test(text))
  return row === undefined ? null : `${[name, ...words.slice(0, 1)].join(' ')} ${row[1]}`
}
