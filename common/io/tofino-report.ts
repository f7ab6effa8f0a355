import { z } from 'zod';
import { firstSchemaFault } from '../document/schema-faults';
import { InputError } from '../errors';

/** Something that a chip has so many of. */
export interface Share {
  readonly used: number;
  readonly of: number;
}

/** Resources of one pipe of a chip that a program uses, as p4c's Tofino back end counts them. */
export interface TofinoResources {
  /** Version of the back end. */
  readonly compiler: string;
  /** Match-action stages with at least one table. */
  readonly stages: Share;
  readonly logicalTables: Share;
  /** Blocks of 1024 x 128 bits. */
  readonly sramBlocks: Share;
  /** Blocks of 512 x 44 bits. */
  readonly tcamBlocks: Share;
  readonly hashBits: Share;
  /** Share of the instruction memory. */
  readonly vliwInstructions: Share;
  /** Rows of the parsers' TCAM, one per transition. */
  readonly parserRows: { readonly ingress: Share; readonly egress: Share };
  /** Containers of the packet header vector, by their width in bits. */
  readonly phvContainers: Readonly<Record<string, number>>;
}

const list = z.array(z.unknown());
const stageSchema = z.object({
  logical_tables: z.object({ ids: list, size: z.number() }),
  rams: z.object({ srams: list, nRows: z.number(), nColumns: z.number() }),
  tcams: z.object({ tcams: list, nRows: z.number(), nColumns: z.number() }),
  hash_bits: z.object({ bits: list, nBits: z.number(), nFunctions: z.number() }),
  vliw: z.object({ instructions: list, size: z.number() }),
});
type Stage = z.infer<typeof stageSchema>;

const resourcesSchema = z.object({
  compiler_version: z.string(),
  resources: z.object({
    mau: z.object({ nStages: z.number(), mau_stages: z.array(stageSchema) }),
    parser: z.object({
      parsers: z.array(
        z.object({ gress: z.enum(['ingress', 'egress']), nStates: z.number(), states: list }),
      ),
    }),
  }),
});
const phvSchema = z.object({ containers: z.array(z.object({ bit_width: z.number() })) });

/**
 * Reads the compiler's logs `resources.json` and `phv.json`, which it writes with `-g`.
 * @throws InputError when they have another form than that of schema version 2.4.
 */
export function tofinoResources(resources: unknown, phv: unknown): TofinoResources {
  const { compiler_version: compiler, resources: taken } = parsed(
    resourcesSchema,
    resources,
    'resources.json',
  );
  const { mau, parser } = taken;
  const { containers } = parsed(phvSchema, phv, 'phv.json');
  // The log leaves out stages that nothing is in.
  const share = (
    used: (stage: Stage) => readonly unknown[],
    ofOne: (stage: Stage) => number,
  ): Share => ({
    used: mau.mau_stages.reduce((sum, stage) => sum + used(stage).length, 0),
    of: mau.nStages * Math.max(0, ...mau.mau_stages.map(ofOne)),
  });
  const rows = (gress: 'ingress' | 'egress'): Share => {
    const found = parser.parsers.find((one) => one.gress === gress);
    return { used: found?.states.length ?? 0, of: found?.nStates ?? 0 };
  };
  const widths = containers.map(({ bit_width }) => bit_width).sort((a, b) => a - b);
  const phvContainers: Record<string, number> = {};
  for (const width of widths) phvContainers[width] = (phvContainers[width] ?? 0) + 1;
  return {
    compiler,
    stages: {
      used: mau.mau_stages.filter(({ logical_tables }) => logical_tables.ids.length > 0).length,
      of: mau.nStages,
    },
    logicalTables: share(
      ({ logical_tables }) => logical_tables.ids,
      ({ logical_tables }) => logical_tables.size,
    ),
    sramBlocks: share(
      ({ rams }) => rams.srams,
      ({ rams }) => rams.nRows * rams.nColumns,
    ),
    tcamBlocks: share(
      ({ tcams }) => tcams.tcams,
      ({ tcams }) => tcams.nRows * tcams.nColumns,
    ),
    hashBits: share(
      ({ hash_bits }) => hash_bits.bits,
      ({ hash_bits }) => hash_bits.nBits * hash_bits.nFunctions,
    ),
    vliwInstructions: share(
      ({ vliw }) => vliw.instructions,
      ({ vliw }) => vliw.size,
    ),
    parserRows: { ingress: rows('ingress'), egress: rows('egress') },
    phvContainers,
  };
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new InputError(`${name} of p4c's Tofino back end: ${firstSchemaFault(error)}`);
}
