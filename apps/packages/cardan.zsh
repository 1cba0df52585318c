#compdef cardan
# Completion of zsh: the program itself says what may stand there.
local line value
local -a whole about begun
for line in ${(f)"$($words[1] complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
  value=${line%%$'\t'*}
  case $value in
    :file) _files ;;
    :folder) _files -/ ;;
    *[.=]) begun+=($value) ;;
    *) whole+=($value); about+=("${line/$'\t'/  -- }") ;;
  esac
done
(($#begun)) && compadd -S '' -a begun
(($#whole)) && compadd -l -d about -a whole
