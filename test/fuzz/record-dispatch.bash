# Runs each line of /rec/lines with recorders in place of programs and tells, on fd 9, what bash would have started:
#
#   L n          line n begins
#   D n text     bash is about to run this simple command (its DEBUG trap: counts also what no recorder sees,
#                such as a program named by path, a bare redirection, an assignment)
#   A n count …  a program or built-in got these words
#   F n names    the line left files                  E n text   bash complained
#   Z n          the last line is done
#
# Fields end with NUL; one write per record, so records of the processes of a pipeline do not mix.
mapfile -t -d '' fz_lines </rec/lines
fz_n=0 fz_on=0 fz_status=$1 fz_line='' fz_found='' fz_nl=$'\n' fz_rs=$'\x1e'

record() {
  builtin printf '%s\0' A "$fz_n" "$#" "${@//$fz_nl/$fz_rs}" >&9
  [[ $fz_status == 0 ]]
}
command_not_found_handle() { record "$@"; }

fz_found=(* .*)
fz_empty="${fz_found[*]}"
for fz_line in $(compgen -b); do
  [[ $fz_line == builtin ]] || builtin eval "function $fz_line { record '$fz_line' \"\$@\"; }"
done
# A function is faster than the handler, which costs a fork.
for fz_line in git npm npx yarn node python python3 docker ls cat grep rg find sed awk sort wc head tail jq make; do
  builtin eval "function $fz_line { record '$fz_line' \"\$@\"; }"
done
builtin set -T
builtin trap '[[ $fz_on$FUNCNAME != 1 ]] || builtin printf "%s\0" D "$fz_n" "${BASH_COMMAND//$fz_nl/$fz_rs}" >&9' DEBUG
builtin enable -n $(builtin compgen -b | while builtin read -r fz_line; do
  case $fz_line in builtin | eval | printf | wait | enable) ;; *) builtin printf '%s ' "$fz_line" ;; esac
done)
builtin enable -n enable

for fz_line in "${fz_lines[@]}"; do
  builtin printf '%s\0' L "$fz_n" >&9
  fz_on=1
  builtin eval "$fz_line" 2>/rec/complaints
  fz_on=0
  builtin wait
  if [[ -s /rec/complaints ]]; then
    fz_found=$(</rec/complaints)
    builtin printf '%s\0' E "$fz_n" "${fz_found//$fz_nl/$fz_rs}" >&9
  fi
  fz_found=(* .*)
  [[ ${fz_found[*]} == "$fz_empty" ]] || builtin printf '%s\0' F "$fz_n" "${fz_found[*]}" >&9
  ((fz_n += 1))
done
builtin printf '%s\0' Z "$fz_n" >&9
