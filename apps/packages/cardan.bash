# Completion of bash: the program itself says what may stand there.
_cardan() {
  local word line full prefix words=()
  # bash takes words apart at '=' and ':', and the program wants them whole.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#words[@]})) && [[ $word == [=:]* || ${words[-1]} == *[=:] ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  word=${COMP_WORDS[COMP_CWORD]}
  if [[ $word == [=:] ]]; then word=; fi
  full=${words[-1]}
  prefix=${full%"$word"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
      :folder) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
      *) line=${line%%$'\t'*}; COMPREPLY+=("${line#"$prefix"}") ;;
    esac
  done < <("$1" complete -- "${words[@]}" 2>/dev/null)
  # A name that goes on: of a component, of a value.
  if [[ ${COMPREPLY[*]-} == *[.=] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _cardan cardan
