import { stringify } from 'yaml';
import type { StudyDocument } from './study-document';

export const EMIT_KINDS = ['slurm', 'kubernetes'] as const;
export type EmitKind = (typeof EMIT_KINDS)[number];

/** Settings of the tasks for a batch system. */
export interface EmitOptions {
  readonly study: StudyDocument;
  /** The study's file and folder, as every task finds them. */
  readonly file: string;
  readonly folder: string;
  readonly cells: number;
  /** Name of the command there. */
  readonly command: string;
  /** Container image; Kubernetes only. */
  readonly image: string;
  /** Claim of the volume that has study and folder; Kubernetes only. */
  readonly claim: string;
  /** Tasks at the same time at most. */
  readonly parallel: number;
  /** Place for whole results, as tasks find it. */
  readonly keep?: string | undefined;
  /** True if judges and algorithms of files have all rights. Default false. */
  readonly trust?: boolean;
}

/** Files for a batch system, whose tasks run a cell each or several: each leaves a record in the study's folder. */
export function emitted(kind: EmitKind, options: EmitOptions): string {
  return kind === 'slurm' ? slurmScript(options) : kubernetesJob(options);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function cellCommand({ command, file, folder, keep, trust }: EmitOptions, index: string): string {
  const kept = keep === undefined ? '' : ` --keep ${quoted(keep)}`;
  return `${command} study cell --study ${quoted(file)} --index "${index}" --record ${quoted(`${folder}/cells`)}${kept}${trust === true ? ' --trust' : ''}`;
}

/** `H:MM:SS` with a minute for the start of a task. */
function timeText(seconds: number): string {
  const all = Math.ceil(seconds) + 60;
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`;
}

/** Slurm refuses indexes from 1001 on, unless its MaxArraySize says otherwise. */
const SLURM_TASKS_MAX = 1000;

function slurmScript(options: EmitOptions): string {
  const { study, cells, parallel } = options;
  const { memoryMb, timeoutSeconds } = study.limits;
  const tasks = Math.min(cells, SLURM_TASKS_MAX);
  const each = Math.ceil(cells / tasks);
  return `#!/bin/sh
#SBATCH --job-name=${study.name}
#SBATCH --array=0-${tasks - 1}%${parallel}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=${memoryMb + MEMORY_BESIDE_MB}M
#SBATCH --time=${timeText(each * timeoutSeconds)}
${each === 1 ? `exec ${cellCommand(options, '$SLURM_ARRAY_TASK_ID')}` : slurmLoop(options, tasks)}
`;
}

/** One cell after the other: a failure of one ends none of the others. */
const slurmLoop = (options: EmitOptions, tasks: number): string => `status=0
index=$SLURM_ARRAY_TASK_ID
while [ "$index" -lt ${options.cells} ]; do
  ${cellCommand(options, '$index')} || status=1
  index=$((index + ${tasks}))
done
exit $status`;

/** The process that watches over a cell. */
const MEMORY_BESIDE_MB = 256;

function kubernetesJob(options: EmitOptions): string {
  const { study, cells, parallel, image, claim } = options;
  const { memoryMb, timeoutSeconds } = study.limits;
  const memory = `${memoryMb + MEMORY_BESIDE_MB}Mi`;
  const container = {
    name: 'cell',
    image,
    command: ['/bin/sh', '-c', `exec ${cellCommand(options, '$JOB_COMPLETION_INDEX')}`],
    workingDir: '/study',
    resources: { requests: { cpu: '1', memory }, limits: { memory } },
    volumeMounts: [{ name: 'study', mountPath: '/study' }],
  };
  return stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: study.name.toLowerCase().replaceAll('_', '-') },
    spec: {
      completionMode: 'Indexed',
      completions: cells,
      parallelism: Math.min(parallel, cells),
      backoffLimitPerIndex: 2,
      maxFailedIndexes: cells,
      template: {
        spec: {
          restartPolicy: 'Never',
          activeDeadlineSeconds: Math.ceil(timeoutSeconds) + 60,
          containers: [container],
          volumes: [{ name: 'study', persistentVolumeClaim: { claimName: claim } }],
        },
      },
    },
  });
}
