#!/bin/sh
#SBATCH --job-name=yomikiri
#SBATCH --array=0-31
#SBATCH --cpus-per-task=1
#SBATCH --time=02:00:00
#SBATCH --output=yomikiri-%A_%a.log
# One part of a run on each task of a Slurm array, by files alone: no Ray, no Python. The command comes as arguments, and the
# folder in OUT, which all tasks see:
#
#     OUT=/shared/null-move sbatch slurm_array.sh match -e name=a -e 'name=b option.null_move.enabled=true' --nodes 5000
#     yomikiri merge --out /shared/null-move/whole /shared/null-move/part-*        # when the array has finished
#
# A run of several stages (`lab run`) is shared stage by stage: see `yomikiri merge --help`.
# A task that was cut off is started again by itself (`sbatch --array=7 ..`) and goes on where it was.
set -eu
: "${OUT:?set OUT to a folder that all tasks see}"
part=${SLURM_ARRAY_TASK_ID:?start this with sbatch}
of=${SLURM_ARRAY_TASK_COUNT:?start this with sbatch}
exec "${YOMIKIRI_PROGRAM:-yomikiri}" "$@" --shard "$part/$of" --out "$OUT/part-$part"
