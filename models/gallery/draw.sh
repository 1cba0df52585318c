#!/bin/bash
# Draws the pictures of the gallery again, and its README.md from the models' own descriptions:
#   models/gallery/draw.sh [PROGRAM]       (default: the launcher of this source tree)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-./cardan}

# MODEL OPTIONS...: what is to be seen of it, and when.
pictures=(
  "elementary/pendulum.yaml --at 0.4"
  "elementary/double_pendulum.yaml --at 1.2 --trace boxBody2.frame_b"
  "elementary/free_body.yaml --at 2"
  "elementary/free_body_matrix.yaml --at 1"
  "elementary/sensors.yaml --at 0.6"
  "elementary/spatial_chain.yaml --at 0.8"
  "elementary/submodel.yaml --at 1"
  "modelica/chain.mo --at 0.5"
  "loops/fourbar.yaml --at 0.6"
  "loops/slider_crank.yaml --at 0.3"
  "loops/spatial_fourbar.yaml --at 0.4"
  "loops/bricard.yaml --at 0.5 --view iso"
  "loops/squeezer.yaml --at 0.02"
  "loops/delta.yaml --at 0.4"
  "loops/stewart.yaml --at 0.5"
  "loops/governor.yaml --at 1"
  "loops/rolling_coin.yaml --at 1.3"
  "loops/engine_v6.yaml --at 0.01"
  "robots/arm6.yaml --at 0.45"
  "robots/r3_structure.yaml --at 0.5"
  "robots/picker.urdf --at 0.1 --view iso"
  "robots/picker_at_work.yaml --at 1.6 --view iso"
  "robots/quadruped.yaml --at 0.35 --view iso"
  "spinning/top.yaml --trace shaft.frame_b"
  "spinning/t_handle.yaml --at 1.1"
  "vehicles/bicycle.yaml --at 1.2"
  "vehicles/double_wishbone.yaml --at 0.55 --view iso"
  "machines/crane.yaml --at 9 --trace weight.frame_a"
  "machines/geneva.yaml --at 0.22 --view iso"
  "machines/verge.yaml --at 1.2 --view iso"
  "contact/ball_on_stairs.yaml --at 1 --trace ball.frame_a"
  "contact/tippe_top.yaml --at 1 --view iso"
)

page=models/gallery/README.md
{
  echo "# What ships"
  echo
  echo "Every model of this folder, as \`cardan animate\` draws it; \`models/gallery/draw.sh\` draws all of it again."
  echo "To see one move: \`cardan animate models/loops/stewart.yaml\`, then open the page in a browser."
  echo
  echo "| | |"
  echo "|---|---|"
} >"$page"
for picture in "${pictures[@]}"; do
  read -r model options <<<"$picture"
  name=$(basename "${model%.*}")
  # shellcheck disable=SC2086  # the options are words
  "$program" animate "models/$model" -o "models/gallery/$name.png" --size 480x300 -q $options
  text=$(sed -n 's/^description: *//p; s/^ *model [A-Za-z]* *"\(.*\)"$/\1/p; s/^<!-- *\(.*[^ ]\) *-->$/\1/p' "models/$model" | head -n 1 | sed 's/^"\(.*\)"$/\1/')
  echo "| ![$name]($name.png) | [$model](../$model): $text |" >>"$page"
done
