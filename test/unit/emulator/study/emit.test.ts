import { parse } from 'yaml';
import { emitted } from '../../../../emulator/study/emit';
import { parseStudy } from '../../../../emulator/study/study-document';

const study = parseStudy(
  '{ name: my_study, base: incast16, seeds: 12, figures: [jain], limits: { memoryMb: 512, timeoutSeconds: 3599.5 } }',
  's.yaml',
).value;
const options = {
  study,
  file: "o'clock.yaml",
  folder: 'out/s',
  cells: 12,
  command: './hpcc',
  image: 'hpcc:1',
  claim: 'disk',
  parallel: 4,
};

describe('files for batch systems', () => {
  test('are an array job of Slurm with one task per cell, in the limits of the study', () => {
    const lines = emitted('slurm', options).split('\n');
    expect(lines[0]).toBe('#!/bin/sh');
    expect(lines).toContain('#SBATCH --array=0-11%4');
    expect(lines).toContain('#SBATCH --mem=768M');
    expect(lines).toContain('#SBATCH --time=1:01:00');
    expect(lines.at(-2)).toBe(
      `exec ./hpcc study cell --study 'o'\\''clock.yaml' --index "$SLURM_ARRAY_TASK_ID" --record 'out/s/cells'`,
    );
  });

  test('are an indexed Job of Kubernetes, with a name that RFC 1123 allows', () => {
    const job = parse(emitted('kubernetes', options)) as {
      metadata: { name: string };
      spec: { completions: number; parallelism: number; completionMode: string };
    };
    expect(job.metadata.name).toBe('my-study');
    expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 12, parallelism: 4 });
    expect(emitted('kubernetes', options)).toContain('$JOB_COMPLETION_INDEX');
  });
});
