#!/usr/bin/env bash
# The rules of the house, read off the sources: which folder may include which, who may know
# yaml-cpp, pugixml, SUNDIALS and each of Eigen's decompositions, and that nobody outside frames/ reads T or w of an
# Orientation. Within components/: contract <- laws <- the other folders, none of which need each
# other in a circle, <- catalogue. Within engine/: downwards only. What stands on the engine includes the
# headers of engine/public_headers.txt alone.
#   check.sh [ROOT]          checks the tree, prints file:line: error: ..., exit 1 if there is any
#   check.sh --picture       prints who includes whom, folder by folder, counted
#   check.sh --svg           draws the floors; engine/rooms.svg is that
#   check.sh --self-test     plants each violation in a copy of the tree and expects to see it
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The rooms of the engine, from the ground up, those with a + between them side by side; files on top of them
# are the last.
floors="text expression+structure model_file equations dynamics initialisation integration results"
# On top of the engine, and not of each other: rooms of libraries of their own.
satellites="modelica=formats robots=formats analysis=analysis sensitivities=analysis control=analysis fit=analysis picture=pictures study=studies optimum=studies"

# Prints every line of the sources as "file:line:text", without comments and strings' contents.
code() {
  find "$@" \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z | xargs -0 -r awk '
    FNR == 1 { in_comment = 0 }
    {
      text = $0
      if (in_comment) {
        if ((end = index(text, "*/")) == 0) next
        text = substr(text, end + 2)
        in_comment = 0
      }
      if (text !~ /^[ \t]*#[ \t]*include/) gsub(/"([^"\\]|\\.)*"/, "\"\"", text)
      while ((start = index(text, "/*")) > 0) {
        line_comment = index(text, "//")
        if (line_comment > 0 && line_comment < start) break
        rest = substr(text, start + 2)
        if ((end = index(rest, "*/")) == 0) { text = substr(text, 1, start - 1); in_comment = 1; break }
        text = substr(text, 1, start - 1) " " substr(rest, end + 2)
      }
      sub(/\/\/.*/, "", text)
      if (text ~ /[^ \t]/) print FILENAME ":" FNR ":" text
    }'
}

check() {
  cd "$1"
  local folders=() folder failed=0
  for folder in frames components engine apps; do
    if [[ -d $folder ]]; then folders+=("$folder"); fi
  done
  code "${folders[@]}" | awk -v floors="$floors" -v satellites="$satellites" '
    function error(rule) { print file ":" line ": error: " rule; failed = 1 }
    BEGIN {
      rank["frames"] = 1; rank["components"] = 2; rank["engine"] = 3; rank["apps"] = 4
      rooms = split(floors, room, " ")
      for (i = 1; i <= rooms; ++i) {
        beside = split(room[i], side, "+")
        for (k = 1; k <= beside; ++k) floor[side[k]] = i
      }
      while ((getline line < "engine/public_headers.txt") > 0) listed[line]
      wings = split(satellites, wing, " ")
      for (i = 1; i <= wings; ++i) { split(wing[i], side, "="); library[side[1]] = side[2] }
    }
    # Written on top of the engine: a room of a library, but for the one with an integrator of its own; a
    # program, but for the files that are listed.
    function standsOnEngine(path,  part) {
      split(path, part, "/")
      return part[1] == "apps" ? !("inside " path in listed) : part[2] != "sensitivities" && libraryOf(path) != ""
    }
    function isPublic(path) {
      return "installed " path in listed || "house " path in listed
    }
    function height(path,  part) {
      split(path, part, "/")
      return part[1] == "engine" ? floorOf(path) + 2 : part[1] == "apps" ? 99 : rank[part[1]]
    }
    function libraryOf(path,  part) {
      split(path, part, "/")
      return part[2] in library ? library[part[2]] : ""
    }
    # Also to the room beside.
    function pointsUp(from, to,  a, b) {
      split(from, a, "/"); split(to, b, "/")
      return floorOf(to) > floorOf(from) || (a[2] in floor && b[2] in floor && a[2] != b[2] && floor[a[2]] == floor[b[2]])
    }
    function floorOf(path,  part, n) {
      n = split(path, part, "/")
      if (part[2] in library) return rooms + 2
      if (n < 3) return rooms + 1
      if (!(part[2] in floor)) { error("engine/" part[2] "/ is no room of the engine"); return 0 }
      return floor[part[2]]
    }
    {
      match($0, /^[^:]*:[0-9]+:/)
      split($0, part, ":")
      file = part[1]; line = part[2]; text = substr($0, RLENGTH + 1)
      folder = file; sub(/\/.*/, "", folder)
    }

    folder != "frames" && text ~ /(^|[^A-Za-z0-9_])R[A-Za-z0-9_]*\.(T|w)([^A-Za-z0-9_]|$)/ {
      error("only frames/ reads T and w of an Orientation")
    }

    # Names declared ahead, and where they are defined (in no namespace twice).
    file ~ /\.h$/ && text ~ /^(class|struct) [A-Za-z0-9_]+;/ { split(text, word, /[ ;]/); ahead[file, word[2]] = line }
    file ~ /\.h$/ && text ~ /^(class|struct) [A-Za-z0-9_]+( final)?( :|( \{)|$)/ {
      split(text, word, " ")
      elsewhere = word[2] in definedIn && definedIn[word[2]] != file
      definedIn[word[2]] = elsewhere ? "" : file
    }

    text !~ /^[ \t]*#[ \t]*include/ { next }
    { target = text; sub(/^[^"<]*["<]/, "", target); sub(/[">].*/, "", target) }

    target ~ /^yaml-cpp\// {
      if (folder != "engine") error("only the engine knows yaml-cpp")
      else if (yaml != "" && yaml != file) error("yaml-cpp is known to " yaml " already, and to one file only")
      else yaml = file
    }
    target == "pugixml.hpp" {
      if (folder != "engine") error("only the engine knows pugixml")
      else if (xml != "" && xml != file) error("pugixml is known to " xml " already, and to one file only")
      else xml = file
    }
    target ~ /^(ida|idas|cvode|arkode|kinsol|sundials|nvector|sunmatrix|sunlinsol|sunnonlinsol)\// {
      if (folder != "engine") error("only the engine knows SUNDIALS")
      else if (sundials != "" && sundials != file) error("SUNDIALS is known to " sundials " already, and to one file only")
      else sundials = file
    }
    folder == "engine" && target ~ /^Eigen\// && target !~ /^Eigen\/(Core|Geometry)$/ {
      if (target in decompositions && decompositions[target] != file) error(target " is known to " decompositions[target] " already, and to one file only")
      else decompositions[target] = file
    }

    {
      top = target; sub(/\/.*/, "", top)
      if (!(target ~ /\// && top in rank)) {
        if (text ~ /include[ \t]*"/) error("\"" target "\": project headers are included from the root")
        next
      }
      if (rank[top] > rank[folder]) error(folder "/ must not include " top "/ (frames <- components <- engine <- apps)")
      if (folder == "engine" && top == "engine" && pointsUp(file, target)) {
        error("\"" target "\": includes in engine/ point downwards only")
      }
      if (folder == "engine" && top == "engine" && floorOf(file) > rooms + 1 && libraryOf(target) != "" && libraryOf(target) != libraryOf(file)) {
        error("\"" target "\": cardan::" libraryOf(file) " does not know cardan::" libraryOf(target))
      }
      if (top == "engine" && libraryOf(target) == "" && standsOnEngine(file) && !isPublic(target)) {
        error("\"" target "\" is no public header of the engine (engine/public_headers.txt)")
      }
      catalogue = target ~ /^components\/(catalogue\.h$|[^\/]*\/)/
      contract = file ~ /^components\/[^\/]*$/ && file !~ /^components\/catalogue\./
      if (catalogue && folder == "engine") error("the engine knows the contract, not the catalogue: \"" target "\"")
      if (target == "components/catalogue_folders.h" && file !~ /^components\/([^\/]*\/)?catalogue\.cpp$/) error("only catalogue.cpp files know the lists of the folders")
      if (catalogue && contract) error("the contract does not know the catalogue: \"" target "\"")
      if (target == "components/catalogue.h" && file ~ /^components\/[^\/]*\//) error("only apps and tests include the catalogue")
    }
    # Folders of components/: laws/ knows the contract alone, and no two need each other in a circle.
    file ~ /^components\/[^\/]*\// && target ~ /^components\/[^\/]*\// {
      from = file; sub(/^components\//, "", from); sub(/\/.*/, "", from)
      to = target; sub(/^components\//, "", to); sub(/\/.*/, "", to)
      if (from == "laws" && to != "laws") error("components/laws/ knows the contract, not components/" to "/")
      else if (from != to && !((from, to) in uses)) { uses[from, to] = file ":" line; folders[from]; folders[to] }
    }

    END {
      for (key in ahead) {
        split(key, of, SUBSEP)
        file = of[1]; line = ahead[key]; from = definedIn[of[2]]
        if (from == "" || height(from) <= height(file)) continue
        if ("opaque " file " " of[2] in listed) { seen["opaque " file " " of[2]]; continue }
        error("\"" of[2] "\" is declared ahead of " from ", which stands higher")
      }
      for (entry in listed) {
        if (entry ~ /^opaque/ && !(entry in seen)) { file = "engine/public_headers.txt"; line = 1; error("\"" entry "\" is declared nowhere") }
      }
      # Whoever needs nobody, or is needed by nobody, is in no circle; the rest is.
      do {
        removed = 0
        for (f in folders) {
          out = needed = 0
          for (pair in uses) { split(pair, p, SUBSEP); if (p[1] == f) out = 1; if (p[2] == f) needed = 1 }
          if (out && needed) continue
          for (pair in uses) { split(pair, p, SUBSEP); if (p[1] == f || p[2] == f) delete uses[pair] }
          delete folders[f]
          removed = 1
        }
      } while (removed)
      for (pair in uses) {
        split(pair, p, SUBSEP)
        print uses[pair] ": error: components/" p[1] "/ includes components/" p[2] "/, and that needs components/" p[1] "/ (a circle of folders)"
        failed = 1
      }
      exit failed
    }' || failed=1

  if [[ -f engine/rooms.svg ]] && ! cmp -s <(svg) engine/rooms.svg; then
    echo "engine/rooms.svg:1: error: not the floors of the house: tests/layering/check.sh --svg > engine/rooms.svg"
    failed=1
  fi

  # No circle of files within a room either.
  local circles
  circles=$(arrows engine | awk '$1 != $2' | sort -u | { tsort 2>&1 >/dev/null || true; } | sed -n 's/^tsort: \(engine.*\)/\1/p')
  if [[ -n $circles ]]; then
    printf '%s: error: includes run in a circle through this file\n' $circles
    failed=1
  fi
  return "$failed"
}

# arrows FOLDER: a line "FILE FILE" for every include within the folder, without endings.
arrows() {
  grep -rHoE '^#include "'"$1"'/[^"]+' "$1" --include='*.h' --include='*.cpp' |
    sed -E 's/\.(h|cpp):#include "/ /; s/\.h$//' | { grep -v 'engine/version$' || true; }
}

picture() {
  cd "$here"
  for folder in frames components engine apps; do
    grep -rHoE '^#include "(frames|components|engine|apps)/[^"]+' "$folder" --include='*.h' --include='*.cpp'
  done | sed -E 's/:#include "/ /' | awk '
    function room(path,  part, n) {
      n = split(path, part, "/")
      return part[1] == "engine" && n > 2 ? part[1] "/" part[2] : part[1]
    }
    room($1) != room($2) { ++count[room($1) " -> " room($2)] }
    END { for (arrow in count) printf "%-50s %d\n", arrow, count[arrow] }' | sort
}

# The floors as a drawing: what stands higher may include what stands lower.
svg() {
  awk -v floors="$floors" -v satellites="$satellites" '
    function floor(names, n, fill,  i, width, x) {
      width = (840 - 8 * (n - 1)) / n
      for (i = 1; i <= n; ++i) {
        x = 10 + (i - 1) * (width + 8)
        boxes = boxes sprintf("  <rect x=\"%g\" y=\"%d\" width=\"%g\" height=\"30\" rx=\"4\" fill=\"%s\"/>\n  <text x=\"%g\" y=\"%d\">%s</text>\n",
                              x, y, width, fill, x + width / 2, y + 20, names[i])
      }
      y += 36
    }
    function one(name, fill,  names) { names[1] = name; floor(names, 1, fill) }
    BEGIN {
      libraries = 0
      pairs = split(satellites, pair, " ")
      for (i = 1; i <= pairs; ++i) {
        split(pair[i], side, "=")
        if (libraries == 0 || name[libraries] != side[2]) { name[++libraries] = side[2]; library[libraries] = side[2] ": " side[1] }
        else library[libraries] = library[libraries] ", " side[1]
      }
      y = 10
      one("apps", "#dfe7f5")
      floor(library, libraries, "#e6f2e2")
      one("simulation, run", "#fbeed5")
      rooms = split(floors, room, " ")
      for (i = rooms; i >= 1; --i) { n = split(room[i], beside, "+"); floor(beside, n, "#fbeed5") }
      one("components", "#f6dfdf")
      one("frames", "#eee")
      printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 %d\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n%s</svg>\n", y + 4, boxes
    }'
}

# plant FILES TEXT EXPECTED: the planted line must be reported, with that rule.
plant() {
  local files=$1 file text=$2 expected=$3 output folders=()
  for file in $files; do
    [[ -d $scratch/$(dirname "$file") ]] || folders+=("$scratch/$(dirname "$file")")
    mkdir -p "$scratch/$(dirname "$file")"
    printf '%s\n' "$text" >>"$scratch/$file"
  done
  output=$(check "$scratch" || true)
  for file in $files; do
    if [[ -e $here/$file ]]; then cp "$here/$file" "$scratch/$file"; else rm "$scratch/$file"; fi
  done
  if ((${#folders[@]})); then rmdir "${folders[@]}"; fi
  if ! grep -qF -- "$expected" <<<"$output"; then
    printf "self-test: '%s' in %s went unnoticed; expected '%s', got:\n%s\n" "$text" "$files" "$expected" "$output" >&2
    return 1
  fi
}

# accept FILE TEXT: the planted line must not be reported.
accept() {
  if plant "$1" "$2" "$1:" 2>/dev/null; then
    printf "self-test: '%s' in %s is allowed but was reported\n" "$2" "$1" >&2
    return 1
  fi
}

self_test() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  (cd "$here" && cp -r frames components engine apps "$scratch")
  plant frames/planted.h '#include "components/component.h"' 'frames/ must not include components/'
  plant components/planted.h '#include "engine/simulation.h"' 'components/ must not include engine/'
  plant components/joints/planted.cpp '  #  include <engine/simulation.h>' 'components/ must not include engine/'
  plant engine/planted.cpp '#include "apps/cardan/main.h"' 'engine/ must not include apps/'
  plant engine/planted.cpp '#include "planted.h"' '"planted.h": project headers are included from the root'
  plant engine/planted.cpp '#include "components/joints/revolute.h"' 'not the catalogue: "components/joints/revolute.h"'
  plant engine/text/planted.cpp '#include "engine/structure/layout.h"' 'point downwards only'
  plant engine/text/planted.h 'class EventSystem;' '"EventSystem" is declared ahead of engine/integration/event_system.h'
  plant engine/results/planted.cpp '#include "engine/simulation.h"' 'point downwards only'
  plant engine/structure/planted.cpp '#include "engine/expression/expression.h"' 'point downwards only'
  plant engine/planted.cpp '#include "engine/analysis/modes.h"' 'point downwards only'
  plant engine/picture/planted.cpp '#include "engine/analysis/modes.h"' 'cardan::pictures does not know cardan::analysis'
  plant engine/picture/planted.cpp '#include "engine/equations/model.h"' '"engine/equations/model.h" is no public header of the engine'
  plant apps/cardan/planted.cpp '#include "engine/simulation_parts.h"' '"engine/simulation_parts.h" is no public header of the engine'
  plant engine/cellar/planted.cpp '#include "engine/text/diagnostics.h"' 'engine/cellar/ is no room of the engine'
  plant engine/text/diagnostics.h '#include "engine/text/yaml_document.h"' 'includes run in a circle'
  plant engine/planted.h '#include "components/catalogue.h"' 'not the catalogue: "components/catalogue.h"'
  plant components/planted.h '#include "components/joints/revolute.h"' 'the contract does not know the catalogue'
  plant components/joints/planted.h '#include "components/catalogue.h"' 'only apps and tests include the catalogue'
  plant components/laws/planted.h '#include "components/interfaces/describe.h"' 'components/laws/ knows the contract, not components/interfaces/'
  plant components/parts/planted.h '#include "components/rolling/rolling_wheel.h"' 'components/parts/ includes components/rolling/, and that needs components/parts/ (a circle of folders)'
  plant components/interfaces/planted.h '#include "components/assemblies/rod.h"' '(a circle of folders)'
  plant components/joints/planted.h '#include "components/catalogue_folders.h"' 'only catalogue.cpp files know the lists of the folders'
  plant components/planted.cpp '#include <yaml-cpp/yaml.h>' 'only the engine knows yaml-cpp'
  plant apps/cardan/planted.cpp '#include <pugixml.hpp>' 'only the engine knows pugixml'
  plant apps/cardan/planted.cpp '#include <ida/ida.h>' 'only the engine knows SUNDIALS'
  plant 'engine/one.cpp engine/two.cpp' '#include <yaml-cpp/yaml.h>' 'yaml-cpp is known to'
  plant 'engine/one.cpp engine/two.cpp' '#include <pugixml.hpp>' 'pugixml is known to'
  plant 'engine/one.cpp engine/two.cpp' '#include <ida/ida.h>' 'SUNDIALS is known to'
  plant 'engine/one.cpp engine/two.cpp' '#include <Eigen/LU>' 'Eigen/LU is known to'
  plant engine/planted.cpp 'auto v = R.T * v_0;' 'only frames/ reads T and w'
  plant components/planted.cpp 'x = frame_a.R.w;' 'only frames/ reads T and w'
  plant components/planted.cpp 'x = R_rel.T(0, 1);' 'only frames/ reads T and w'
  plant components/planted.cpp '/* a */ y = 1; x = R_rel.w /* b */;' 'only frames/ reads T and w'

  accept frames/planted.h 'auto v = R.T * v_0;'
  accept engine/planted.cpp '// the trap: R.T takes vectors into the frame'
  accept engine/planted.cpp 'report("R.w is the angular velocity");'
  accept engine/planted.cpp $'/* R.T\n R.w */'
  accept engine/results/planted.cpp '#include "engine/text/diagnostics.h"'
  accept engine/analysis/planted.cpp '#include "engine/simulation.h"'
  accept engine/picture/planted.cpp '#include "engine/motion_point.h"'
  accept engine/sensitivities/planted.cpp '#include "engine/equations/model.h"'
  accept engine/planted.cpp '#include "components/planted.h"'
  accept engine/planted.cpp '#include <Eigen/Core>'
  accept apps/cardan/planted.cpp '#include "components/catalogue.h"'
  accept components/joints/catalogue.cpp '#include "components/catalogue_folders.h"'
  accept components/joints/planted.h '#include "components/laws/joint_axis.h"'
  accept components/assemblies/planted.h '#include "components/joints/revolute.h"'
  accept components/planted.cpp 'x = R.Tx + R.width + Rw_;'
  echo "self-test: every planted violation was found"
}

if [[ ${1:-} == --self-test ]]; then
  self_test
elif [[ ${1:-} == --picture ]]; then
  picture
elif [[ ${1:-} == --svg ]]; then
  svg
else
  check "$(cd "${1:-$here}" && pwd)"
  echo "layering: no violation"
fi
