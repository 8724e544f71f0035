#!/bin/bash
# A run of `wikiprep pretrain` on several machines, preempted and requeued as often as it takes: sbatch docs/slurm-pretrain.sh
# Slurm tells the ranks two minutes before the time is up; they save and end, and the job queues itself again. A job that
# is killed without warning loses what came after its last checkpoint, no more.
#SBATCH --job-name=luke
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=64
#SBATCH --time=24:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=luke-%j.log

set -u
corpus=${CORPUS:?set CORPUS to the folder of a corpus}
run=${RUN:?set RUN to the folder of the run, which all machines see}
config=${CONFIG:-luke-base}

log=luke-$SLURM_JOB_ID.log
before=$(wc -c <"$log")  # a job that is requeued writes on behind what it wrote before

head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --kill-on-bad-exit=1 torchrun \
  --nnodes "$SLURM_NNODES" --nproc-per-node "$SLURM_GPUS_ON_NODE" \
  --rdzv-id "$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}" --rdzv-backend c10d \
  --rdzv-endpoint "$head:$((20000 + SLURM_JOB_ID % 10000))" \
  -m wikiprep.pretrain --corpus "$corpus" --config "$config" --output "$run" --quiet
code=$?
# Stopped by a signal, all saved: the steps are not done yet. Other codes are errors, whose message is in the log.
stopped=$(tail -c "+$((before + 1))" "$log" | grep -c "stopped after step")
if [ "$code" -ne 0 ] && [ "$stopped" -gt 0 ]; then
  scontrol requeue "$SLURM_JOB_ID"
  exit 0
fi
exit "$code"
