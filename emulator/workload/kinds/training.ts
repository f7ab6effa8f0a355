import { z } from 'zod';
import { InputError } from '../../../common/errors';
import { bytes, hostName, inStep, repeated } from '../workload-kind';
import type { WorkloadKind } from '../workload-kind';

const pair = z.tuple([hostName, hostName]);

const schema = z
  .strictObject({
    kind: z.literal('training'),
    ...repeated,
    pairs: z.array(pair).min(1).max(256).describe('Sender and receiver of each flow.'),
    bytes: bytes.describe('Payload of each flow.'),
  })
  .describe('Few large flows between fixed pairs, as pipelines and replicas of a training have.');

/** Few large flows between fixed pairs, as pipelines and replicas of a training have. */
export const TRAINING: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { first }) =>
    workload.pairs.map(([from, to]) => {
      if (from === to) {
        throw new InputError(`workload ${workload.name}: ${from} would send to itself`);
      }
      const step = { first, bytes: workload.bytes };
      return { from, to, messages: inStep(workload, workload.pairs.length, step) };
    }),
};
