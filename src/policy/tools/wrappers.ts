import type { Hazard, Inspector } from '../model/option-model.ts'
import { HELP, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'

/**
 * Programs whose business is to run another one. A wildcard on them never covers the wrapped command; a rule that spells
 * the wrapped program out (`timeout 60 npm test *`) is judged by that program from there on.
 */
const NAMES =
  'sudo doas su runuser pkexec run0 gosu su-exec env nice ionice chrt taskset numactl nohup setsid time timeout stdbuf unbuffer command builtin exec noglob nocorrect xargs parallel watch strace ltrace truss dtruss perf valgrind chroot unshare nsenter bwrap firejail flock systemd-run systemd-nspawn busybox toybox fakeroot caffeinate rlwrap proxychains proxychains4 torsocks tsocks setpriv prlimit cpulimit cgexec script scriptreplay setarch linux32 linux64 i386 x86_64 dbus-run-session dbus-launch xvfb-run faketime entr at batch start-stop-daemon run-parts logsave choom capsh sg newgrp ssh-agent catchsegv coproc eval ld.so pipenv direnv dotenv dotenvx cross-env concurrently npm-run-all nodemon pm2 forever hyperfine chronic ifne ts sem open xdg-open start wslview ldd cscript wscript mshta rundll32 regsvr32 msbuild.exe wsl doppler op aws-vault sops age-run with-contenv tini dumb-init xterm gnome-terminal konsole alacritty kitty wezterm urxvt terminator x-terminal-emulator foot st proot eatmydata softlimit multitime nix-shell chpst envdir setuidgid setlock tcpserver fakechroot schroot pproxy sshpass expect unshare-run rr heaptrack gdbserver envchain chamber teller infisical dtach abduco zellij byobu detach nsjail minijail0 apparmor_parser aa-exec runcon pidstat torify aoss pasuspender prime-run optirun gamemoderun mpirun mpiexec srun salloc sbatch qsub mosh autossh runghc runhaskell ocaml vimdiff flatpak buildah ctr crictl runc lxc multipass distrobox toolbox apptainer singularity fzf sk streamlit torchrun lftp yt-dlp youtube-dl'

export function wrappers(inspectTool: (argv: readonly string[]) => ToolModel | null): ToolTable {
  const inspect: Inspector = (argv, start) => {
    if (argv.length === start + 1 && HELP.test(argv[start] as string)) return []
    if (/^(command|type)$/.test(argv[0] ?? '') && /^-[vV]$/.test(argv[start] ?? '')) return []
    const program = argv.findIndex((word, i) => i >= start && isProgram(word) && !(i === 1 && isRunVerb(argv)))
    const upTo = program < 0 ? argv.length : program + 1
    const hazards: Hazard[] = argv
      .slice(start, upTo)
      .map((_, i) => ({ at: start + i, why: 'a wildcard does not cover the program that is run in the end' }))
    if (program < 0) return hazards
    const inner = argv.slice(program)
    const model = inspectTool(inner)
    const name = argv[0] ?? ''
    // watch hands its words to a shell; xargs adds words nobody has judged.
    if (name === 'watch')
      return [...hazards, ...argv.slice(upTo).map((_, i) => ({ at: upTo + i, why: 'is read by a shell' }))]
    if (ADDS_WORDS.test(name) && model?.globs !== 'anywhere')
      hazards.push({ at: argv.length, why: `${name} adds words nobody has judged` })
    return [...hazards, ...(model?.inspect(inner, 1) ?? []).map(({ at, why }) => ({ at: at + program, why }))]
  }
  return tools(NAMES, { inspect, globs: 'nowhere' })
}

/** `doppler run -- x`: the first word is the wrapper's own. */
const isRunVerb = ([name = '', verb = '']: readonly string[]): boolean =>
  /^(?:doppler|op|aws-vault|infisical|chamber|teller|pipenv|direnv|dotenvx|sops)$/.test(name) &&
  /^(?:run|exec|exec-env|exec-file|shell)$/.test(verb)

const ADDS_WORDS = /^(?:xargs|parallel)$/

/** The first word that can be the wrapped program: no option, no number with a unit, no assignment. */
const isProgram = (word: string): boolean => /^[A-Za-z_./]/.test(word) && !/^[A-Za-z_]\w*=/.test(word)
