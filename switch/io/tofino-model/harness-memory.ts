import { z } from 'zod';

const allocationSchema = z.looseObject({
  memory_units_and_vpns: z.array(z.looseObject({ vpns: z.array(z.number()) })),
});

const stageSchema = z.looseObject({
  stage_table_type: z.string(),
  memory_resource_allocation: z.unknown(),
});

const tableSchema = z.looseObject({
  name: z.string(),
  table_type: z.string(),
  p4_hidden: z.boolean().optional(),
  stage_tables: z.array(stageSchema).default([]),
});

type Table = z.infer<typeof tableSchema>;

/** Name of the table that the harness knows the memory of a register under, for writing. */
export const wordsOf = (register: string): string => `${register}$words`;

/**
 * Tables of a context with memory as the harness wants it: action data begins with page 0, and the
 * words of a register are a selector besides, the only memory that the harness writes by a command.
 */
export function withHarnessMemory(tables: readonly unknown[]): readonly unknown[] {
  return tables.flatMap((each): readonly unknown[] => {
    const table = tableSchema.safeParse(each).data;
    if (table?.table_type === 'action') return [withFirstPage(table)];
    if (table?.table_type !== 'stateful' || table.p4_hidden === true) return [each];
    return [each, wordTable(table)];
  });
}

function withFirstPage(table: Table): Table {
  return { ...table, stage_tables: table.stage_tables.map(stageWithFirstPage) };
}

function stageWithFirstPage(stage: Table['stage_tables'][number]): Table['stage_tables'][number] {
  const memory = allocationSchema.safeParse(stage.memory_resource_allocation).data;
  if (memory === undefined) return stage;
  const least = Math.min(...memory.memory_units_and_vpns.flatMap(({ vpns }) => vpns));
  const units = memory.memory_units_and_vpns.map((unit) => ({
    ...unit,
    vpns: unit.vpns.map((page) => page - least),
  }));
  return { ...stage, memory_resource_allocation: { ...memory, memory_units_and_vpns: units } };
}

const wordTable = (register: Table): unknown => ({
  ...register,
  name: wordsOf(register.name),
  table_type: 'selection',
  p4_hidden: true,
  stage_tables: register.stage_tables.map((stage) => ({
    ...stage,
    stage_table_type: 'selection',
    pack_format: [
      {
        table_word_width: 128,
        memory_word_width: 128,
        entries_per_table_word: 1,
        number_memory_units_per_table_word: 1,
      },
    ],
  })),
});
