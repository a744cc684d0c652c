import { options, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'
import { insideOnly, leavesProject } from './project-paths.ts'

/** Tools that change files by design. A wildcard keeps them inside the project; deleting and overwriting is spelled out. */
const GIT_OR_SECRETS = /(^|[\\/])(\.git|\.ssh|\.husky|\.vscode|\.idea|\.github|\.bashrc|\.profile|\.npmrc)([\\/]|$)/

const changes = (why: string): ToolModel =>
  options({
    hazards: {
      '-t= --target-directory= -S= --suffix= --reference=': why,
      '-f --force --no-preserve-root': why,
    },
    unlisted: 'open',
    operands: operands => [
      ...insideOnly(why)(operands),
      ...operands
        .filter(({ text }) => !leavesProject(text) && GIT_OR_SECRETS.test(text))
        .map(({ at }) => ({ at, why })),
    ],
  })

const always = (why: string): ToolModel => ({
  globs: 'nowhere',
  inspect: (argv, start) =>
    argv
      .slice(start)
      .flatMap((word, i) => (word.startsWith('--help') || word === '--version' ? [] : [{ at: start + i, why }])),
})

export const FILE_TOOLS: ToolTable = {
  ...tools('mkdir touch cp mv ln mkfifo mktemp', changes('is a place outside the project or one that tools run from')),
  ...tools('rm rmdir unlink shred srm wipe truncate trash del erase rd rimraf', always('deletes for good')),
  ...tools('dd install patch', always('writes where it is told')),
  ...tools('tee sponge', {
    globs: 'nowhere',
    inspect: (argv, start) =>
      argv
        .slice(start)
        .flatMap((word, i) =>
          /^(-a|-i|-p|--append|--ignore-interrupts|\/dev\/null|--help|--version)$/.test(word)
            ? []
            : [{ at: start + i, why: 'is a file it writes' }],
        ),
  }),
  ...tools('chmod chown chgrp chattr setfacl xattr', changes('changes who may read or run it')),
  ...tools(
    'mkfs mkswap fdisk parted mount umount swapon swapoff losetup wipefs blkdiscard hdparm useradd userdel usermod passwd visudo iptables nft ufw modprobe insmod rmmod sysctl reboot shutdown halt poweroff init telinit',
    always('changes the machine'),
  ),
}
