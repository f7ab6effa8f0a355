import { z } from 'zod';
import { HP_DOMAIN } from '../../common/wire/int/int-md';
import { baselineWords, bitCount } from '../../common/wire/int/int-metadata';
import { prefixSchema } from './quantities';

/** Methods and carriers, which announce INT in a packet: the number of each is its position, from 1 on. */
export const INT_CARRIERS = [
  'dscp',
  'port',
  'newUdp',
  'marker',
  'gre',
  'vxlan',
  'geneve',
  'newGre',
] as const;

/** Names of the instructions of INT v2.1, with their bits. */
export const INT_INSTRUCTIONS = {
  nodeId: 0x8000,
  interfaces: 0x4000,
  hopLatency: 0x2000,
  queue: 0x1000,
  ingressTimestamp: 0x0800,
  egressTimestamp: 0x0400,
  interfaces2: 0x0200,
  txUtilization: 0x0100,
  buffer: 0x0080,
  checksumComplement: 0x0001,
} as const;

type InstructionName = keyof typeof INT_INSTRUCTIONS;

const INSTRUCTION_NAMES = Object.keys(INT_INSTRUCTIONS) as [InstructionName, ...InstructionName[]];

const whole = (max: number): z.ZodNumber => z.int().min(0).max(max);

/** Instructions by name, or the bitmap itself. */
const bitmapSchema = z
  .union([whole(0xffff), z.array(z.enum(INSTRUCTION_NAMES))])
  .transform((given) =>
    typeof given === 'number'
      ? given
      : given.reduce((bits, name) => bits | INT_INSTRUCTIONS[name], 0),
  );

/** A flow that a switch is INT source for. */
const sourceSchema = z.strictObject({
  switch: z.string().describe('Switch that is the INT source.'),
  from: prefixSchema.optional().describe('Prefix of source addresses.'),
  to: prefixSchema.optional().describe('Prefix of destination addresses.'),
  protocol: z.enum(['udp', 'tcp', 'gre']).optional().describe('Transport of the flow.'),
  fromPort: whole(0xffff).optional().describe('Source port.'),
  toPort: whole(0xffff).optional().describe('Destination port.'),
  dscp: whole(63).optional().describe('Marked packets only.'),
  mode: z
    .enum(['md', 'mx', 'xd', 'none'])
    .default('md')
    .describe('INT-MD, INT-MX, INT-XD, or an exception from the lines below.'),
  carrier: z
    .enum(INT_CARRIERS)
    .default('dscp')
    .describe('Method and carrier that announce INT in the packet.'),
  instructions: bitmapSchema
    .default(INT_INSTRUCTIONS.nodeId | INT_INSTRUCTIONS.interfaces | INT_INSTRUCTIONS.hopLatency)
    .describe('Instructions by name, or the bitmap itself.'),
  domain: whole(0xffff).default(0).describe('Domain Specific ID.'),
  dsInstruction: whole(0xffff).default(0).describe('Bitmap of instructions of the domain.'),
  dsWords: whole(31)
    .default(0)
    .describe('Words of domain-specific metadata in a hop, of domains that are not ours.'),
  maxHops: whole(255).default(10).describe('Remaining hop count that the source writes.'),
  discard: z.boolean().default(false).describe('True if the sink discards the packet.'),
  oneIn: z.int().min(1).max(0xffff_ffff).default(1).describe('One of so many packets of the flow.'),
});

/** Packets whose loss is reported. */
const dropSchema = sourceSchema.pick({
  from: true,
  to: true,
  protocol: true,
  fromPort: true,
  toPort: true,
  dscp: true,
});

/** A power of two in ns, for what switches tell apart by a shift. */
const powerOfTwo = (min: number, max: number): z.ZodNumber =>
  z
    .int()
    .min(min)
    .max(max)
    .refine((ns) => Number.isInteger(Math.log2(ns)), { message: 'must be a power of two' });

const reportsSchema = z.strictObject({
  windowNs: powerOfTwo(2 ** 10, 2 ** 40)
    .optional()
    .describe('A flow in the same state is reported once in such a window: a power of two.'),
  latencyStepNs: powerOfTwo(1, 2 ** 31)
    .default(2 ** 20)
    .describe('Latencies within such a step are one state of a flow: a power of two.'),
  queue: z
    .strictObject({
      bytes: whole(0xffff_fffe).optional().describe('Bytes in a queue from which it is congested.'),
      latencyNs: whole(0xffff_fffe)
        .optional()
        .describe('Time in a switch from which its queue is congested.'),
      quota: z
        .int()
        .min(1)
        .max(0xffff_ffff)
        .default(0xffff_ffff)
        .describe('Packets of one congestion that are reported.'),
      instructions: bitmapSchema
        .default(INT_INSTRUCTIONS.interfaces | INT_INSTRUCTIONS.hopLatency | INT_INSTRUCTIONS.queue)
        .describe('Metadata of these reports.'),
    })
    .refine(({ bytes, latencyNs }) => bytes !== undefined || latencyNs !== undefined, {
      message: 'wanted bytes, latencyNs or both',
    })
    .optional()
    .describe('Reports of packets that meet a congested queue.'),
  drops: z
    .array(dropSchema)
    .default([])
    .describe('Packets that are reported when a switch drops them.'),
});

/** INT in switches whose program has all of it (int-v2). */
export const intSchema = z.strictObject({
  sources: z.array(sourceSchema).default([]).describe('The first line that fits a packet counts.'),
  carriers: z
    .array(z.enum(INT_CARRIERS))
    .min(1)
    .optional()
    .describe('The methods by which switches recognise INT; all of them unless given.'),
  unknown: z
    .strictObject({
      reserved: z
        .enum(['ones', 'skip'])
        .default('ones')
        .describe('Answer to reserved instructions.'),
      domains: z.enum(['ones', 'skip']).default('ones').describe('Answer to unknown domains.'),
    })
    .prefault({})
    .describe('Answer to reserved instructions and unknown domains: all ones, or no block.'),
  reports: reportsSchema
    .prefault({})
    .describe('Reports to telemetry.collector, besides those of tracked flows.'),
  utilizationWindowNs: powerOfTwo(1024, 2 ** 30)
    .default(2 ** 20)
    .describe('Windows in which the utilisation of links is measured: a power of two.'),
});

export type IntDocument = z.infer<typeof intSchema>;
export type IntSourceLine = IntDocument['sources'][number];

/** DS instructions of our domain: the first asks for two words. */
const HP_DEFINED = 0xe000;
const HP_DOUBLE = 0x8000;
const HOP_WORDS_MAX = 31;

/** Words that each hop pushes for these instructions. */
export function intHopWords(
  line: Pick<IntSourceLine, 'instructions' | 'domain' | 'dsInstruction' | 'dsWords'>,
): number {
  const { instructions, domain, dsInstruction, dsWords } = line;
  const own = bitCount(dsInstruction & HP_DEFINED) + bitCount(dsInstruction & HP_DOUBLE);
  return baselineWords(instructions) + (domain === HP_DOMAIN.domainId ? own : dsWords);
}

type Fault = (at: readonly (string | number)[], message: string) => Error;

/** Refuses lines of switches that are not there, instructions that no hop can follow, and reports to nobody. */
export function checkInt(
  int: IntDocument | undefined,
  switches: readonly { readonly name: string }[],
  hasCollector: boolean,
  fault: Fault,
): void {
  if (int === undefined) return;
  const { queue, drops, windowNs } = int.reports;
  if (!hasCollector && (queue !== undefined || drops.length > 0 || windowNs !== undefined)) {
    throw fault(['telemetry', 'int', 'reports'], 'reports want telemetry.collector');
  }
  int.sources.forEach((line, i) => {
    const place = ['telemetry', 'int', 'sources', i];
    if (!switches.some(({ name }) => name === line.switch)) {
      throw fault([...place, 'switch'], `there is no switch '${line.switch}'`);
    }
    if (line.mode === 'xd' && !hasCollector) {
      throw fault([...place, 'mode'], 'INT-XD wants telemetry.collector');
    }
    const words = intHopWords(line);
    if (line.mode === 'md' && (words === 0 || words > HOP_WORDS_MAX)) {
      const wanted = `wanted 1 to ${HOP_WORDS_MAX} words of metadata in a hop`;
      throw fault([...place, 'instructions'], `${wanted}, found ${words}`);
    }
  });
}
