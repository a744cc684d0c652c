/**
 * What is loaded into the person's own shell behind their own files, so that it reports where its prompts and commands are:
 * OSC 133 with `aid=<nonce>`. Nothing of theirs is changed on disk; their prompt, hooks and history stay.
 *
 *   D;<exit code>  a command has ended    A  a prompt begins, `bang=1`: history expansion is on
 *   B              it can be typed        C  a command begins
 *
 * The nonce comes in a variable that the script takes out of the environment at once: text that a command prints cannot know it.
 */
export const BASH_MARKS = `# Made by interactive-terminal. Loaded instead of ~/.bashrc, which it loads itself.
__it_nonce=$INTERACTIVE_TERMINAL_NONCE
unset INTERACTIVE_TERMINAL_NONCE
[ -r ~/.bashrc ] && . ~/.bashrc
if [ -n "\${INTERACTIVE_TERMINAL_FIRST-}" ]; then
  case $PATH in "$INTERACTIVE_TERMINAL_FIRST":*) ;; *) PATH=$INTERACTIVE_TERMINAL_FIRST:$PATH ;; esac
fi
unset INTERACTIVE_TERMINAL_FIRST
set +H
__it_first() {
  local status=$?
  printf '\\033]133;D;%s;aid=%s\\a\\033]133;A;aid=%s' "$status" "$__it_nonce" "$__it_nonce"
  case $- in *H*) printf ';bang=1' ;; esac
  printf '\\a'
  return "$status"
}
__it_last() {
  local status=$?
  case $PS1 in *"$__it_ready"*) ;; *) PS1=$PS1$__it_ready ;; esac
  return "$status"
}
__it_ready="\\[\\e]133;B;aid=$__it_nonce\\a\\]"
PS0="\${PS0-}\\e]133;C;aid=$__it_nonce\\a"
if ((BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1))); then
  PROMPT_COMMAND=(__it_first "\${PROMPT_COMMAND[@]}" __it_last)
else
  PROMPT_COMMAND="__it_first\${PROMPT_COMMAND:+; \${PROMPT_COMMAND%;}}; __it_last"
fi
`

/** zsh reads its files from ZDOTDIR: ours come first, read the person's, and give ZDOTDIR back. */
export const ZSH_ENV = `# Made by interactive-terminal. Reads your own files.
__it_nonce=$INTERACTIVE_TERMINAL_NONCE
__it_dir=$ZDOTDIR
if [[ -n \${INTERACTIVE_TERMINAL_ZDOTDIR-} ]]; then export ZDOTDIR=$INTERACTIVE_TERMINAL_ZDOTDIR; else unset ZDOTDIR; fi
unset INTERACTIVE_TERMINAL_NONCE INTERACTIVE_TERMINAL_ZDOTDIR
[[ -r \${ZDOTDIR:-$HOME}/.zshenv ]] && . \${ZDOTDIR:-$HOME}/.zshenv
__it_theirs=\${ZDOTDIR-}
ZDOTDIR=$__it_dir
`

export const ZSH_MARKS = `# Made by interactive-terminal. Reads your own files.
[[ $HISTFILE == $__it_dir/* ]] && HISTFILE=\${__it_theirs:-$HOME}/\${HISTFILE:t}
if [[ -n $__it_theirs ]]; then export ZDOTDIR=$__it_theirs; else unset ZDOTDIR; fi
unset __it_dir __it_theirs
[[ -r \${ZDOTDIR:-$HOME}/.zshrc ]] && . \${ZDOTDIR:-$HOME}/.zshrc
[[ -n \${INTERACTIVE_TERMINAL_FIRST-} ]] && path=($INTERACTIVE_TERMINAL_FIRST \${path:#$INTERACTIVE_TERMINAL_FIRST})
unset INTERACTIVE_TERMINAL_FIRST
unsetopt bang_hist
__it_first() {
  local code=$? bang=
  [[ -o bang_hist ]] && bang=';bang=1'
  printf '\\033]133;D;%s;aid=%s\\a\\033]133;A;aid=%s%s\\a' $code $__it_nonce $__it_nonce $bang
}
__it_last() {
  [[ $PROMPT == *"$__it_ready"* ]] || PROMPT=$PROMPT$__it_ready
}
__it_begins() { printf '\\033]133;C;aid=%s\\a' $__it_nonce }
__it_ready="%{"$'\\e'"]133;B;aid=$__it_nonce"$'\\a'"%}"
precmd_functions=(__it_first $precmd_functions __it_last)
preexec_functions+=(__it_begins)
`

export const FISH_MARKS = `# Made by interactive-terminal. Loaded behind your own files.
set -g __it_nonce $INTERACTIVE_TERMINAL_NONCE
set -e INTERACTIVE_TERMINAL_NONCE
if set -q INTERACTIVE_TERMINAL_FIRST
  set -gx PATH $INTERACTIVE_TERMINAL_FIRST (string match -v -- $INTERACTIVE_TERMINAL_FIRST $PATH)
  set -e INTERACTIVE_TERMINAL_FIRST
end
function __it_ended --on-event fish_postexec
  printf '\\033]133;D;%s;aid=%s\\a' $status $__it_nonce
end
function __it_first --on-event fish_prompt --on-event fish_cancel
  printf '\\033]133;A;aid=%s\\a' $__it_nonce
end
function __it_begins --on-event fish_preexec
  printf '\\033]133;C;aid=%s\\a' $__it_nonce
end
functions -q fish_prompt; or fish_prompt >/dev/null 2>&1
functions -c fish_prompt __it_theirs
function fish_prompt
  __it_theirs
  printf '\\033]133;B;aid=%s\\a' $__it_nonce
end
`
