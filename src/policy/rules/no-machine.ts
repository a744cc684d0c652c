import { resolve } from 'node:path'
import type { Facts } from './rules.ts'

/** A made-up machine: every program is found, every path is what it says, and nothing lies anywhere. */
export const NO_MACHINE: Facts = {
  realPath: (path, from) => resolve(from, path),
  program: name => ({ path: `/usr/bin/${name}` }),
  ours: [],
  list: () => null,
  text: () => null,
  expand: () => null,
  home: '/home/user',
  otherCharset: null,
}
