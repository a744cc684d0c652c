import { type EffectRow, first, has, letters } from './effect-row.ts'

/** What is hard to undo on this machine: files, disks, services, who may log in. */
export const GRAVE_HERE: readonly EffectRow[] = [
  {
    program: /^rm$/,
    when: words =>
      has(/^--recursive$/)(words) || words.some(word => letters('rR').test(word) && !word.startsWith('--')),
    does: 'deletes whole directories',
    tier: 'grave',
    examples: { matches: ['rm -rf src', 'rm -R a b', 'sudo rm --recursive x'], spares: ['rm a.txt', 'rm -f a'] },
  },
  {
    program: /^(rimraf|del-cli)$/,
    does: 'deletes whole directories',
    tier: 'grave',
    examples: { matches: ['rimraf src', 'npx rimraf src'], spares: ['rimraf --help', 'npm i rimraf'] },
  },
  {
    program: /^(rmdir|rd|del|erase)$/i,
    when: has(/^\/s$/i),
    does: 'deletes whole directories',
    tier: 'grave',
    examples: { matches: ['rd /s /q build'], spares: ['rmdir build', 'del a.txt'] },
  },
  {
    program: /^(shred|srm|wipe)$/,
    does: 'makes files unrecoverable',
    tier: 'grave',
    examples: { matches: ['shred -u notes.txt'], spares: ['shred --help'] },
  },
  {
    program: /^truncate$/,
    does: 'cuts files off',
    tier: 'grave',
    examples: { matches: ['truncate -s 0 app.log'], spares: ['truncate --version'] },
  },
  {
    program: /^dd$/,
    when: has(/^of=(?:\/(?!dev\/(?:null|stdout)$|tmp\/)|.*\.\.|~|\$)/),
    does: 'overwrites the file it names',
    tier: 'grave',
    examples: { matches: ['dd if=a of=/etc/x'], spares: ['dd if=a of=b', 'dd if=a of=/dev/null'] },
  },
  {
    program: /^find$/,
    when: words => {
      const given = withoutTestValues(words)
      return (
        given.includes('-delete') ||
        given.some(
          (word, i) => /^-(exec|execdir|ok|okdir)$/.test(word) && /^(.*\/)?(rm|shred|unlink)$/.test(given[i + 1] ?? ''),
        )
      )
    },
    does: 'deletes what it finds',
    tier: 'grave',
    examples: {
      matches: ['find . -name "*.o" -delete', 'find . -exec rm {} +'],
      spares: ['find . -name -delete', 'find . -exec wc {} +'],
    },
  },
  {
    program: /^(shutdown|reboot|halt|poweroff)$/i,
    when: words => !words.includes('-c'),
    does: 'stops the machine',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['sudo reboot', 'shutdown -h now'], spares: ['shutdown -c', 'echo reboot'] },
  },
  {
    program: /^(init|telinit)$/,
    when: has(/^[016]$/),
    does: 'stops the machine',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['init 0'], spares: ['init 3', 'npm init'] },
  },
  {
    program: /^systemctl$/,
    when: first(/^(reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|isolate|mask|disable|stop)$/),
    does: 'stops the machine or a service',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['systemctl stop nginx'], spares: ['systemctl status nginx', 'systemctl restart nginx'] },
  },
  {
    program: /^(stop|restart)-computer$/i,
    does: 'stops the machine',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['Restart-Computer'], spares: ['Get-ComputerInfo'] },
  },
  {
    program: /^kill$/,
    when: words =>
      words.slice(words.some(word => /^-(\d+|[A-Z]+|s|n)$/.test(word) && word !== '-1') ? 1 : 0).includes('-1') ||
      words.at(-1) === '-1' ||
      words.includes('1'),
    does: 'ends every process',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['kill -9 -1', 'kill 1'], spares: ['kill 1234', 'kill -9 1234'] },
  },
  {
    program: /^killall5$/,
    does: 'ends every process',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['killall5 -9'], spares: ['killall node'] },
  },
  {
    program: /^(apt|apt-get|dnf|yum|zypper|apk)$/,
    when: first(/^(remove|purge|autoremove|erase|dist-upgrade|del)$/),
    does: 'removes system packages',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['apt-get -y remove bash'], spares: ['apt list', 'apt install jq'] },
  },
  {
    program: /^pacman$/,
    when: has(/^-R/),
    does: 'removes system packages',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['pacman -Rns vim'], spares: ['pacman -Q'] },
  },
  {
    program: /^crontab$/,
    when: has(/^-[a-z]*r/),
    does: 'deletes the timetable',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['crontab -r'], spares: ['crontab -l', 'crontab jobs'] },
  },
  {
    program: /^(userdel|deluser|groupdel|passwd|visudo|chpasswd)$/,
    does: 'changes who may log in',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['userdel ada', 'passwd'], spares: ['passwd --help', 'id ada'] },
  },
  {
    program: /^(iptables|ip6tables|nft)$/,
    when: has(/^(-F|--flush|-X|flush)$/),
    does: 'opens the firewall',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['iptables -F', 'nft flush ruleset'], spares: ['iptables -L'] },
  },
  {
    program: /^ufw$/,
    when: first(/^(disable|reset)$/),
    does: 'opens the firewall',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['ufw disable'], spares: ['ufw status'] },
  },
  {
    program: /^(chmod|chown|chgrp)$/,
    when: words =>
      words.some(word => letters('R').test(word) && !word.startsWith('--')) &&
      words.some(word => /^(0?777|000|a\+rwx)$/.test(word)),
    does: 'changes the rights of everything',
    tier: 'grave',
    examples: { matches: ['chmod -R 777 .'], spares: ['chmod 777 a', 'chmod -R u+r .'] },
  },
  {
    program:
      /^(fdisk|parted|sgdisk|sfdisk|wipefs|cryptsetup|mkfs(?:\.(?!(?:sh|py|rb|pl|[cm]?[jt]s|md|txt)$)\w+)?|mkswap|lvremove|vgremove|pvremove|zpool|mdadm)$/,
    when: words => !has(/^(-l|--list|-d|--dump|list|status|--detail|--examine)$/)(words),
    does: 'changes disks',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['parted disk.img mklabel gpt', 'lvremove vg/a'], spares: ['fdisk -l', 'mkfs.sh x'] },
  },
  {
    program: /^(?:zfs|btrfs)$/,
    when: has(/^(?:destroy|delete)$/),
    does: 'changes disks',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['zfs destroy tank/a'], spares: ['zfs list'] },
  },
  {
    program: /^history$/,
    when: has(/^-[cd]/),
    does: 'deletes the history',
    tier: 'grave',
    examples: { matches: ['history -c'], spares: ['history 10'] },
  },
  {
    program: /^reg$/i,
    when: first(/^delete$/i),
    does: 'deletes from the registry',
    tier: 'grave',
    reaches: 'whole_machine',
    examples: { matches: ['reg delete HKCU/x'], spares: ['reg query HKCU/x'] },
  },
]

/** `find -name '-delete'` looks for such a file. */
function withoutTestValues(words: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    kept.push(words[at] as string)
    if (
      /^-(?:i?(?:name|path|wholename|lname|regex)|newer\w*|samefile|user|group|type|printf)$/.test(words[at] as string)
    )
      at += 1
  }
  return kept
}
