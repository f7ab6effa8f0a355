import { z } from 'zod';

const sumsSchema = z.object({ count: z.number(), mean: z.number(), max: z.number() }).nullable();

const hopSchema = z.object({
  nodeId: z.number(),
  ingressPort: z.number().nullable(),
  egressPort: z.number().nullable(),
  latencyNs: sumsSchema,
  queueBytes: sumsSchema,
});

const flowSchema = z.object({
  flow: z.string(),
  reports: z.number(),
  otherHops: z.number(),
  path: z.array(hopSchema),
});

const datagramsSchema = z.object({
  datagrams: z.number(),
  faults: z.number(),
  lost: z.number(),
  kernelDropped: z.number().nullable(),
});

/** A line of `hpcc int collect --totals`; of links, drops and reports nothing is in use. */
export const totalsLineSchema = z.union([
  flowSchema.transform((flow) => ({ flow })),
  datagramsSchema.transform((datagrams) => ({ datagrams })),
  z.object({}).transform(() => ({})),
]);

export interface TotalsLine {
  readonly flow?: CollectedFlow | undefined;
  readonly datagrams?: CollectedDatagrams | undefined;
}
export type CollectedFlow = z.infer<typeof flowSchema>;
export type CollectedDatagrams = z.infer<typeof datagramsSchema>;

/** Sums that a collector of telemetry reports has printed at its end. */
export interface Collected {
  readonly flows: readonly CollectedFlow[];
  /** Undefined of one that was ended before it had printed all. */
  readonly datagrams: CollectedDatagrams | undefined;
}

export function collectedOf(lines: readonly TotalsLine[]): Collected {
  return {
    flows: lines.flatMap(({ flow }) => flow ?? []),
    datagrams: lines.find((line) => line.datagrams !== undefined)?.datagrams,
  };
}
