#!/usr/bin/env bash
# A study under real schedulers: an array of Slurm on one node, started here for the purpose, and ranks
# of mpirun. index.csv has to be that of one process, byte for byte.
#   run.sh CARDAN SOURCE SCRATCH     exit 0: the same; 77: nothing of it is installed here; else: not
set -uo pipefail
cardan=$1 source=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

fail() {
  echo "error: $*" >&2
  exit 1
}
study=(sweep "$source/models/elementary/pendulum.yaml" --vary L=linspace\(0.5,1.5,12\)
       --sample body.m=normal\(1,0.1\) -n 4 --seed 3 --stop-time 1
       --keep 'x=max(abs(revolute.w))' --keep 'm=final(body.m)' -q)
"$cardan" "${study[@]}" -j 1 -o one || fail "the study does not run"
same() {
  "$cardan" sweep --merge -q -o "$1" || fail "$1: its shards do not join"
  cmp one/index.csv "$1/index.csv" || fail "$1: index.csv differs from that of one process"
  echo "$1: $(($(wc -l <one/index.csv) - 1)) runs, the same bytes"
  done_here+=("$1")
}
done_here=()

if command -v mpirun >/dev/null; then
  ranks=(mpirun -np 3 --oversubscribe)
  [[ $EUID == 0 ]] && ranks+=(--allow-run-as-root)
  "${ranks[@]}" "$cardan" "${study[@]}" --shard auto -j 1 -o mpirun || fail "mpirun does not run it"
  [[ $(ls mpirun/shards/*.csv | wc -l) == 3 ]] || fail "mpirun: not three shards"
  same mpirun
else
  echo "mpirun is not installed (Debian: openmpi-bin)"
fi

# One node that is this machine, with a key of its own; all of it ends with this script.
startSlurm() {
  local host
  host=$(hostname -s)
  mkdir -p slurm/state slurm/spool
  dd if=/dev/urandom of=slurm/key bs=1 count=1024 2>/dev/null
  chmod 0400 slurm/key
  munged --force --foreground --key-file="$PWD/slurm/key" --socket="$PWD/slurm/munge" \
    --pid-file="$PWD/slurm/munged.pid" --log-file="$PWD/slurm/munged.log" \
    --seed-file="$PWD/slurm/seed" >/dev/null 2>&1 &
  started+=($!)
  cat >slurm/slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + RANDOM % 10000))
SlurmdPort=$((30000 + RANDOM % 10000))
AuthType=auth/munge
AuthInfo=socket=$PWD/slurm/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$PWD/slurm/slurm.conf
  slurmctld -D >slurm/slurmctld.log 2>&1 &
  started+=($!)
  slurmd -D >slurm/slurmd.log 2>&1 &
  started+=($!)
  for _ in $(seq 60); do
    sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
    sleep 0.5
  done
  return 1
}
started=()
trap '((${#started[@]})) && kill "${started[@]}" 2>/dev/null' EXIT

missing=()
for program in munged slurmctld slurmd sbatch sinfo squeue; do
  PATH=$PATH:/usr/sbin command -v $program >/dev/null || missing+=($program)
done
if ((${#missing[@]})); then
  echo "${missing[*]}: not installed (Debian: slurm-wlm)"
elif [[ $EUID != 0 ]]; then
  echo "Slurm is started here by root only"
else
  PATH=$PATH:/usr/sbin
  startSlurm || { tail -n 5 slurm/*.log >&2; fail "Slurm's node does not come up"; }
  printf '#!/bin/bash\n%q ' "$cardan" >job.sh
  sed -i 's/ $//' job.sh
  printf ' %q' "${study[@]}" --shard auto -j 1 -o slurm-array >>job.sh
  sbatch --wait --array=1-4 -o 'task%a.log' job.sh >/dev/null || fail "$(cat task*.log)"
  [[ $(ls slurm-array/shards/*.csv | wc -l) == 4 ]] || fail "Slurm: not four shards"
  same slurm-array
fi
((${#done_here[@]})) || exit 77
