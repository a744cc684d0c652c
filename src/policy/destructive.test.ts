import { expect, test } from 'vitest'
import { catastrophe } from './destructive.ts'

test.each([
  'rm -rf /',
  'rm -fr /*',
  'rm -r -f /.',
  'rm --recursive ~',
  'rm -rf //',
  'rm -rf /home/me',
  'rm -rf /etc/',
  'rm -Rf /usr',
  '/bin/rm -rf /',
  'sudo rm -rf /',
  'sudo -u root env A=1 nice -n 5 rm -rf /',
  'timeout 5 rm -rf /',
  'chmod -R 777 /',
  'chown -R me /etc',
  'mkfs.ext4 /dev/sda1',
  'wipefs -a /dev/sda',
  'dd if=/dev/zero of=/dev/sda',
  'shred /dev/nvme0n1',
])('%s is refused for everybody', line => {
  expect(catastrophe(line.split(' '))).not.toBe(null)
})

test.each([
  'grep -rf / x',
  'echo rm -rf /',
  'git rm -r --cached src',
  'rm -rf build',
  'rm -rf ./dist',
  'rm -rf /home/me/project/node_modules',
  'rm /tmp/x',
  'ls -R /',
  'dd if=/dev/sda of=disk.img',
  'chmod -R u+w build',
  'mkfs.ext4',
  'sudo',
])('%s is not a catastrophe', line => {
  expect(catastrophe(line.split(' '))).toBe(null)
})
