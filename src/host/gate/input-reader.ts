/** What a program makes of what is typed into it, by the name that the system gives it. */

const SHELLS = /^-?(?:ba|da|z|k|mk|a|tc|c|fi)?sh$|^(?:busybox|pwsh|powershell|nu|cmd)$/
/** Programs that run what is typed, also by a detour: languages, databases, editors, pagers, ways to another machine. */
const INTERPRETERS =
  /^(?:MainThread|node|deno|bun|python[\d.]*|ipython\d*|pypy[\d.]*|ruby[\d.]*|irb|pry|perl[\d.]*|lua[\d.]*|luajit|php[\d.]*|ghci|ghc|R|Rscript|julia|octave.*|gdb|lldb|psql|mysql|mariadb|sqlite\d*|mongosh?|redis-cli|ed|ex|vi|view|vim.*|nvim|emacs.*|nano|pico|micro|less|more|most|man|ssh|telnet|ftp|sftp|lftp|tmux.*|screen|docker.*|podman.*|kubectl|script|expect|su|sudo|doas|erl|beam\.smp|iex|scala|jshell|java|sbt|tclsh[\d.]*|wish[\d.]*|make|gnuplot|bc|dc|awk|gawk|mawk)$/

export type RunsInput = 'shell' | 'interpreter' | null

export function runsInput(program: string | null): RunsInput {
  if (program === null) return null
  const [name = ''] = program.split('/').slice(-1)
  return SHELLS.test(name) ? 'shell' : INTERPRETERS.test(name) ? 'interpreter' : null
}
