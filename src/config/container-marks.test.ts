import { expect, test } from 'vitest'
import { containerMarks, type MarkSources } from './container-marks.ts'

const machine = (files: Readonly<Record<string, string>>): MarkSources => ({
  exists: path => path in files,
  read: path => files[path] ?? null,
})
const DESKTOP = { '/proc/1/cgroup': '0::/init.scope\n', '/proc/1/comm': 'systemd\n' }
const finding = (files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}, saidSo = false) =>
  containerMarks(env, saidSo, machine({ ...DESKTOP, ...files }))

test.each([
  ['Docker', { '/.dockerenv': '' }, {}, '/.dockerenv exists'],
  ['podman', { '/run/.containerenv': '' }, {}, '/run/.containerenv exists'],
  ['an engine that tells process 1', { '/proc/1/environ': 'PATH=/bin\0container=lxc\0' }, {}, 'container=lxc'],
  ['systemd inside', { '/run/systemd/container': 'systemd-nspawn\n' }, {}, 'says systemd-nspawn'],
  ['cgroups', { '/proc/1/cgroup': '12:pids:/kubepods/besteffort/pod1\n' }, {}, '/proc/1/cgroup names kubepods'],
  ['cgroups of Docker', { '/proc/1/cgroup': '0::/docker/1f2e\n' }, {}, '/proc/1/cgroup names docker'],
  ['Kubernetes', {}, { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'KUBERNETES_SERVICE_HOST is set'],
  ['a dev container', {}, { REMOTE_CONTAINERS: 'true' }, 'REMOTE_CONTAINERS is set'],
  ['Codespaces', {}, { CODESPACES: 'true' }, 'CODESPACES is set'],
  ['our own variable', {}, { PM_RUNNING_IN_CONTAINER: 'yes' }, 'PM_RUNNING_IN_CONTAINER is set'],
])('a container is known by %s', (_, files, env, why) => {
  const found = finding(files as Record<string, string>, env as Record<string, string>)
  expect(found).toEqual({ inContainer: 'yes', why: [expect.stringContaining(why)] })
})

test('the setting counts like the variable, and every mark is named', () => {
  expect(finding({ '/.dockerenv': '' }, { CODESPACES: 'true' }, true).why).toEqual([
    'PM_RUNNING_IN_CONTAINER is set',
    '/.dockerenv exists',
    'CODESPACES is set',
  ])
})

test.each([
  ['a desktop', {}],
  ['a machine without systemd', { '/proc/1/comm': 'init\n', '/proc/1/cgroup': '0::/\n' }],
  ['WSL', { '/proc/1/comm': 'init(Ubuntu)\n', '/proc/1/cgroup': '0::/\n' }],
  ['a user with a container engine', { '/proc/1/environ': 'containers=none\0mycontainer=1\0' }],
])('%s is none', (_, files) => {
  expect(finding(files as Record<string, string>, { CODESPACES: '', PM_RUNNING_IN_CONTAINER: 'no' })).toEqual({
    inContainer: 'no',
    why: [],
  })
})

test('where there is no /proc there is nothing to be unsure about', () => {
  expect(containerMarks({}, false, machine({}))).toEqual({ inContainer: 'no', why: [] })
})

test('a first process that is no init leaves it open, and that is said', () => {
  const found = finding({ '/proc/1/comm': 'sleep\n', '/proc/1/cgroup': '0::/\n' })
  expect(found).toEqual({ inContainer: 'unsure', why: [expect.stringContaining('process 1 is "sleep"')] })
})
