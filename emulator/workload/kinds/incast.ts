import { z } from 'zod';
import { bytes, hostName, inStep, refuseTwice, repeated } from '../workload-kind';
import type { WorkloadKind } from '../workload-kind';

const schema = z
  .strictObject({
    kind: z.literal('incast'),
    ...repeated,
    senders: z
      .array(hostName)
      .min(1)
      .max(4096)
      .optional()
      .describe('Hosts that send; all others of the topology unless given.'),
    receiver: hostName.describe('Host that receives.'),
    bytes: bytes.describe('Payload from each sender.'),
  })
  .describe('All senders answer one receiver at the same time.');

/** All `senders` answer one `receiver` at the same time. */
export const INCAST: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { first, hosts }) => {
    const { receiver, name } = workload;
    const others = hosts.map((host) => host.name).filter((host) => host !== receiver);
    const senders = workload.senders ?? others;
    refuseTwice([...senders, receiver], name);
    const step = { first, bytes: workload.bytes };
    return senders.map((from) => ({
      from,
      to: receiver,
      messages: inStep(workload, senders.length, step),
    }));
  },
};
