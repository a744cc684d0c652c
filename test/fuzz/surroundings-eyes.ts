import { basename, join, resolve } from 'node:path'
import type { Facts } from '../../src/policy/rules/rules.ts'
import { inheritedEnv, withOwnGit } from '../../src/runs/plan/base-env.ts'
import type { Eyes } from './surroundings-gate.ts'
import type { Trial } from './surroundings-lines.ts'

/**
 * The product with one eye closed: it judges and starts lines as if one check of what lies around them had been deleted. The
 * fuzz must catch each of these, or it proves nothing about the product it passes.
 */
export const CLOSED_EYES: readonly { readonly blindTo: string; readonly eyes: Eyes }[] = [
  { blindTo: 'links', eyes: seeing({ realPath: (path, from) => resolve(from, path) }) },
  { blindTo: 'links below a directory', eyes: { facts: facts => ({ ...facts, list: withoutLinks(facts) }) } },
  { blindTo: 'the borders of a workspace', eyes: { workspace: workspace => ({ ...workspace, directory: '/' }) } },
  {
    blindTo: 'whether a person bound the folder',
    eyes: { trial: boundAnywhere, concerns: ({ site }) => site.workspace === null },
  },
  {
    blindTo: 'whether a person trusts the folder',
    eyes: {
      workspace: workspace => ({ ...workspace, trusted: true }),
      concerns: ({ site }) => site.workspace?.trusted === false,
    },
  },
  { blindTo: 'names of secrets', eyes: { trial: painted, facts: paintedFacts } },
  {
    blindTo: 'the look of keys',
    eyes: { facts: facts => ({ ...facts, text: path => (isIgnoreFile(path) ? facts.text(path) : '') }) },
  },
  {
    blindTo: 'what git ignores',
    eyes: { facts: facts => ({ ...facts, text: path => (isIgnoreFile(path) ? null : facts.text(path)) }) },
  },
  { blindTo: 'what lies in directories', eyes: seeing({ list: () => null }) },
  { blindTo: 'what wildcards stand for', eyes: seeing({ expand: () => [] }) },
  { blindTo: 'our own files', eyes: seeing({ ours: [] }) },
  {
    blindTo: 'what a repository would start',
    eyes: { ...seeing({ repositoryProblem: () => null }), concerns: startsGit },
  },
  {
    blindTo: 'where there is no repository',
    eyes: { facts: ({ repositoryTop: _, ...facts }) => facts, concerns: startsGit },
  },
  {
    blindTo: 'where programs come from',
    eyes: { facts: facts => ({ ...facts, program: name => found(facts, name) }) },
  },
  {
    blindTo: 'virtual environments',
    eyes: { trial: trial => ({ ...trial, venv: null }), concerns: ({ venv }) => venv !== null },
  },
  {
    blindTo: 'variables of a request',
    eyes: { trial: trial => ({ ...trial, env: {} }), concerns: ({ env }) => Object.keys(env).length > 0 },
  },
  {
    blindTo: 'where cd leads',
    eyes: {
      trial: trial => over(trial, line => line.replace(/\bcd\b[^&;|\n]*/g, 'true ')),
      concerns: ({ line }) => /\bcd\b/.test(line),
    },
  },
  { blindTo: 'what is read by <', eyes: { trial: trial => over(trial, line => line.replace(/< \S+/, '')) } },
  { blindTo: 'variables of the person', eyes: { inherited: env => ({ ...env, ...inheritedEnv({}) }) } },
  {
    blindTo: 'what git does on the side',
    eyes: { inherited: env => withOwnGit(inheritedEnv(env)), concerns: startsGit },
  },
]

function startsGit({ line }: Trial): boolean {
  return /\bgit\b/.test(line)
}

function seeing(facts: Partial<Facts>): Eyes {
  return { facts: seen => ({ ...seen, ...facts }) }
}

const over = (trial: Trial, paint: (line: string) => string): Trial =>
  trial.args ? trial : { ...trial, line: paint(trial.line) }

const isIgnoreFile = (path: string): boolean => /\/(?:\.gitignore|info\/exclude)$/.test(path)

const withoutLinks =
  (facts: Facts): Facts['list'] =>
  directory =>
    facts.list(directory)?.filter(({ kind }) => kind !== 'link') ?? null

function boundAnywhere(trial: Trial): Trial {
  const { site } = trial
  const workspace = site.workspace ?? { id: 'made up', directory: site.directory, trusted: false }
  return { ...trial, site: { ...site, workspace } }
}

function found(facts: Facts, name: string): ReturnType<Facts['program']> {
  const program = facts.program(name)
  return 'problem' in program && !program.absent ? { path: join('/usr/bin', basename(name)) } : program
}

/** Names that say secret, and harmless ones in their place: the gate sees a tree and a line in which nothing is called so. */
const PAINTED: readonly (readonly [secret: string, plain: string])[] = [
  ['.env.local', 'painted-0.ts'],
  ['.env', 'painted-1.ts'],
  ['id_rsa', 'painted-2.ts'],
  ['server.pem', 'painted-3.ts'],
  ['secrets.json', 'painted-4.ts'],
  ['.npmrc', 'painted-5.ts'],
  ['.docker', 'painted-6'],
]

const paint = (text: string): string => PAINTED.reduce((all, [secret, plain]) => all.replaceAll(secret, plain), text)
const bare = (text: string): string => PAINTED.reduce((all, [secret, plain]) => all.replaceAll(plain, secret), text)

function painted(trial: Trial): Trial {
  return { ...trial, line: paint(trial.line), ...(trial.args ? { args: trial.args.map(paint) } : {}) }
}

function paintedFacts(facts: Facts): Facts {
  return {
    ...facts,
    realPath: (path, from) => paint(facts.realPath(bare(path), bare(from))),
    list: directory => facts.list(bare(directory))?.map(({ name, kind }) => ({ name: paint(name), kind })) ?? null,
    text: path => facts.text(bare(path)),
    expand: (pattern, from) => facts.expand(bare(pattern), bare(from))?.map(paint) ?? null,
  }
}
