import { expect, test } from 'vitest'
import { readOpenedFiles } from './file-redirections.ts'

const read = (line: string, values: Record<string, string> = {}) => {
  const { reading, redirections, variables } = readOpenedFiles(line, 'bash', new Map(Object.entries(values)))
  const commands = 'gaveUp' in reading ? reading.gaveUp : reading.commands.map(({ argv }) => argv.join(' '))
  return {
    commands,
    files: redirections.map(({ operator, path, text }) => `${operator} ${path ?? `? ${text}`}`),
    variables,
  }
}

test.each([
  ['echo a > out.txt', ['echo a'], ['> out.txt']],
  ['echo a >> "my log"', ['echo a'], ['>> my log']],
  ['make 2>&1 &> all.log', ['make'], ['&> all.log']],
  ['make 2> err.txt > out.txt', ['make'], ['> err.txt', '> out.txt']],
  ['ls > /dev/null', ['ls'], []],
  ['a > x && b >| y; c', ['a', 'b', 'c'], ['> x', '>| y']],
  ["cat > f <<'EOF'\n$(rm x) `y`\nEOF\nls", ['cat', 'ls'], ['> f']],
  ['cat > f <<EOF\nplain\nEOF', ['cat'], ['> f']],
] as const)('%s writes what it says, and the rest is read as always', (line, commands, files) => {
  expect(read(line)).toMatchObject({ commands, files })
})

test('a file that is named by what is known only later is not named', () => {
  expect(read('echo a > $(date)').files).toEqual(['> ? $(date)'])
  expect(read('echo a > *.txt').files).toEqual(['> ? *.txt'])
  expect(read('echo a > $x').files).toEqual(['> ? $x'])
})

test('a variable whose value is known is what it stands for, and its name is told', () => {
  expect(read('echo a > $OUT/b', { OUT: 'dist' })).toEqual({
    commands: ['echo a'],
    files: ['> dist/b'],
    variables: ['OUT'],
  })
  expect(read('rm "$A" $B').variables).toEqual(['A', 'B'])
})

test('a here-document that runs something is no text', () => {
  expect(read('cat > f <<EOF\n$(rm x)\nEOF').commands).toEqual(expect.any(String))
})
