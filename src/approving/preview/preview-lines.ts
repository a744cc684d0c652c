import type { Preview, PreviewItem } from '../../contract/preview/preview-frames.ts'

/** Above what was looked up on this machine. */
export const PREVIEW = 'Right now, before it runs'

/** One line of it, and what belongs below. The words quote names of the disk and of the line, so they are drawn. */
export interface PreviewText {
  readonly text: string
  /** careful: it takes something away that is there · unknown: it could not be looked up. */
  readonly tone: 'plain' | 'careful' | 'unknown'
  readonly below: readonly string[]
}

/** What a look at this machine says about a command, in words. Nothing of it has to be read before an answer. */
export function previewLines({ items, complete }: Pick<Preview, 'items' | 'complete'>): readonly PreviewText[] {
  const lines = items.flatMap(linesOf)
  return complete ? lines : [...lines, NO_TIME]
}

const plain = (text: string, below: readonly string[] = []): PreviewText => ({ text, tone: 'plain', below })
const careful = (text: string, below: readonly string[] = []): PreviewText => ({ text, tone: 'careful', below })
const NO_TIME: PreviewText = {
  text: 'There was no time to look up all of it: what is missing here is unknown',
  tone: 'unknown',
  below: [],
}

function linesOf(item: PreviewItem): PreviewText[] {
  switch (item.about) {
    case 'glob': {
      const { pattern, names, count } = item
      return [plain(count === 0 ? `${pattern} matches nothing` : `${pattern} stands for ${listed(names, count)}`)]
    }
    case 'variable': {
      const { name, value } = item
      return [value === null ? careful(`$${name} is not set`) : plain(`$${name} is ${value === '' ? 'empty' : value}`)]
    }
    case 'deletes':
      return deletionLines(item)
    case 'writes':
      return [writingLine(item)]
    case 'pushes':
      return pushLines(item)
    case 'signals':
      return [signalLine(item)]
    case 'unknown':
      return [{ text: `Unknown: ${item.what} (${item.why})`, tone: 'unknown', below: [] }]
  }
}

type Item<About extends PreviewItem['about']> = Extract<PreviewItem, { about: About }>

function deletionLines(item: Item<'deletes'>): PreviewText[] {
  const { files, directories, bytes, at_least, tracked, missing, refused } = item
  const counted = [
    ...(files > 0 ? [counts(files, 'file')] : []),
    ...(directories > 0 ? [counts(directories, 'directory', 'directories')] : []),
  ].join(' and ')
  const size = files > 0 ? `, ${sizeInWords(bytes)}` : ''
  const first =
    counted === ''
      ? []
      : [careful(`Deletes ${at_least ? 'at least ' : ''}${counted}${size}${trackedWords(files, tracked)}`)]
  return [
    ...first,
    ...(missing.length > 0 ? [plain(`Not there: ${missing.join(', ')}`)] : []),
    ...(refused.length > 0 ? [plain(`Not deleted without -r, a directory: ${refused.join(', ')}`)] : []),
  ]
}

function trackedWords(files: number, tracked: number | null): string {
  if (files === 0) return ''
  if (tracked === null) return '; whether git keeps them is unknown'
  if (tracked === 0) return '; git keeps none of them'
  return tracked === files ? '; git keeps all of them' : `; git keeps ${tracked} of them`
}

function writingLine({ path, how, bytes }: Item<'writes'>): PreviewText {
  switch (how) {
    case 'new':
      return plain(`Makes ${path}, which is not there yet`)
    case 'overwritten':
      return bytes === 0
        ? plain(`Writes ${path}, which is empty`)
        : careful(`Overwrites ${path}, ${sizeInWords(bytes ?? 0)}`)
    case 'appended':
      return plain(`Adds to ${path}, ${sizeInWords(bytes ?? 0)}`)
    case 'no_directory':
      return plain(`Cannot write ${path}: there is no such directory`)
    case 'no_file':
      return plain(`${path} is there and is no plain file`)
  }
}

function pushLines(item: Item<'pushes'>): PreviewText[] {
  const { remote, address, branch, is_new, commits, first, lost, deletes } = item
  const where = `${branch} of ${remote} (${address})`
  if (deletes) return [careful(`Deletes the branch ${where}`)]
  const more = commits > first.length ? [`and ${commits - first.length} more`] : []
  const what = commits === 0 ? 'Pushes no new commits' : `Pushes ${counts(commits, 'commit')}`
  const sent = plain(`${what} to ${where}${is_new ? ', which is new there' : ''}`, [...first, ...more])
  if (lost === null || lost === 0) return [sent]
  return [sent, careful(`${counts(lost, 'commit')} there ${lost === 1 ? 'is' : 'are'} not here and would be lost`)]
}

const WHOSE = { self: 'interactive-terminal itself', started_here: 'started here', other: null } as const

function signalLine({ processes, count }: Item<'signals'>): PreviewText {
  if (count === 0) return plain('No process of yours fits now')
  const more = count > processes.length ? [`and ${count - processes.length} more`] : []
  const each = processes.map(({ pid, program, whose }) => {
    const mark = WHOSE[whose]
    return mark === null ? `${pid} ${program}` : `${pid} ${program} (${mark})`
  })
  return careful(`Signals ${counts(count, 'process', 'processes')}`, [...each, ...more])
}

const listed = (names: readonly string[], count: number): string =>
  `${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`

const counts = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.3 MB` */
function sizeInWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  if (step === 0) return counts(bytes, 'byte')
  const value = bytes / 1000 ** step
  return `${value.toFixed(value < 10 ? 1 : 0)} ${UNITS[step]}`
}
