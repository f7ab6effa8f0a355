import { z } from 'zod';
import { assert } from '../../../common/assert';
import { withHarnessMemory } from './harness-memory';

/** A program's context for the harness, in place of the compiler's `context.json`. */
export interface HarnessContext {
  readonly json: string;
  /** Commands that add what the harness would add wrongly of its own accord. */
  readonly commands: readonly string[];
}

const hexadecimal = z.string().transform((text) => BigInt(text));

const entrySchema = z.object({
  priority: z.number(),
  match_key_fields_values: z.array(
    z.object({ field_name: z.string(), value: hexadecimal, mask: hexadecimal }),
  ),
  action_handle: z.number(),
  action_parameters_values: z.array(z.object({ parameter_name: z.string(), value: z.string() })),
});

const fieldSchema = z.looseObject({ field_name: z.string(), source: z.string() });
const formatSchema = z.array(
  z.looseObject({
    entries_per_table_word: z.number(),
    entries: z.array(z.looseObject({ fields: z.array(fieldSchema) })).default([]),
  }),
);

const stageSchema = z.looseObject({
  size: z.number(),
  stage_table_type: z.string(),
  pack_format: formatSchema.default([]),
  ternary_indirection_stage_table: z.looseObject({ pack_format: formatSchema }).optional(),
});

const parameterSchema = z.looseObject({ name: z.string(), default_value: z.string().optional() });

const tableSchema = z.looseObject({
  name: z.string(),
  default_action_handle: z.number().optional(),
  match_key_fields: z.array(z.looseObject({ name: z.string(), bit_width_full: z.number() })),
  actions: z.array(
    z.looseObject({
      name: z.string(),
      handle: z.number(),
      p4_parameters: z.array(parameterSchema).default([]),
      indirect_resources: z
        .array(
          z.looseObject({
            access_mode: z.string(),
            parameter_name: z.string().optional(),
            resource_name: z.string(),
          }),
        )
        .default([]),
    }),
  ),
  match_attributes: z.looseObject({ stage_tables: z.array(stageSchema) }),
  static_entries: z.array(z.unknown()).default([]),
});

const counterSchema = z.looseObject({ name: z.string(), stage_tables: z.array(stageSchema) });

type Table = z.infer<typeof tableSchema>;
type Action = Table['actions'][number];

const contextSchema = z.looseObject({
  tables: z.array(z.looseObject({ table_type: z.string() })),
});

/** Number of cells of a counter in a word of memory, by the counter's name. */
type CellsOfCounters = ReadonlyMap<string, number>;

/**
 * Takes out of a context what the harness of the Tofino model loads otherwise than it is meant, and
 * says it by commands. Of constant entries in a TCAM the harness takes `0` above `*` for `*` too,
 * writes no address of a counter, and takes a key and a parameter of the same name for one.
 */
export function contextForHarness(text: string): HarnessContext {
  const commands: string[] = [];
  const context = contextSchema.parse(JSON.parse(text));
  const counters = cellsOfCounters(context.tables);
  const tables = context.tables.map((each) => {
    const { data: table } = tableSchema.safeParse(each);
    if (table === undefined || !isInTcam(table) || table.static_entries.length === 0) return each;
    commands.push(...entryCommands(table, counters), ...defaultCommand(table, counters));
    return replaced(table);
  });
  const json = JSON.stringify({ ...context, tables: withHarnessMemory(tables) });
  return { json, commands };
}

function cellsOfCounters(tables: readonly { readonly table_type: string }[]): CellsOfCounters {
  const counters = tables.filter((each) => each.table_type === 'statistics');
  return new Map(
    counters.map((each) => {
      const { name, stage_tables: stages } = counterSchema.parse(each);
      return [name, stages[0]?.pack_format[0]?.entries_per_table_word ?? 1];
    }),
  );
}

const stagesOf = (table: Table): Table['match_attributes']['stage_tables'] =>
  table.match_attributes.stage_tables;

const isInTcam = (table: Table): boolean =>
  stagesOf(table).some((stage) => stage.stage_table_type === 'ternary_match');

function entryCommands(table: Table, counters: CellsOfCounters): string[] {
  const places = stagesOf(table).reduce((sum, { size }) => sum + size, 0);
  return table.static_entries.map((each) => {
    const entry = entrySchema.parse(each);
    const keys = entry.match_key_fields_values.map(({ field_name, value, mask }) => {
      const field = table.match_key_fields.find(({ name }) => name === field_name);
      return `${field_name}:${bitsOf(value, mask, field?.bit_width_full ?? 0)}`;
    });
    const values = new Map(
      entry.action_parameters_values.map(({ parameter_name, value }) => [parameter_name, value]),
    );
    const action = table.actions.find(({ handle }) => handle === entry.action_handle);
    assert(action !== undefined, 'the action of a constant entry is in the table');
    const call = callText(table, action, values, counters);
    return ['add', table.name, places - 1 - entry.priority, ...keys, call].join(' ');
  });
}

const defaultOf = (table: Table): Action | undefined =>
  table.actions.find(({ handle }) => handle === table.default_action_handle);

const countsByIndex = (action: Action): boolean =>
  action.indirect_resources.some((each) => each.access_mode === 'index');

/** The default action as the last entry, where it counts by an index. */
function defaultCommand(table: Table, counters: CellsOfCounters): string[] {
  const action = defaultOf(table);
  if (action === undefined || !countsByIndex(action)) return [];
  const keys = table.match_key_fields.map(
    ({ name, bit_width_full: width }) => `${name}:${bitsOf(0n, 0n, width)}`,
  );
  const values = new Map(
    action.p4_parameters.map(({ name, default_value: value }) => [name, value ?? '0']),
  );
  return [['add', table.name, 0, ...keys, callText(table, action, values, counters)].join(' ')];
}

/** An action with its arguments, and with the addresses of counters in place of their indices. */
function callText(
  table: Table,
  action: Action,
  values: ReadonlyMap<string, string>,
  counters: CellsOfCounters,
): string {
  const indices = action.indirect_resources.filter((each) => each.access_mode === 'index');
  const pointers = indices.flatMap(({ parameter_name: index = '', resource_name: counter }) => {
    const address = counterAddress(BigInt(values.get(index) ?? 0), counters.get(counter) ?? 1);
    return pointerFields(table).map((field) => `${field}:0x${address.toString(16)}`);
  });
  const isIndex = (name: string): boolean => indices.some((each) => each.parameter_name === name);
  const data = [...values].filter(([name]) => !isIndex(name));
  return `${action.name}(${[...data.map(([name, value]) => `${name}:${value}`), ...pointers].join(', ')})`;
}

function pointerFields(table: Table): readonly string[] {
  const formats = stagesOf(table)[0]?.ternary_indirection_stage_table?.pack_format ?? [];
  const fields = formats[0]?.entries[0]?.fields ?? [];
  return fields.filter(({ source }) => source === 'stats_ptr').map((each) => each.field_name);
}

/** Where a match finds the cell of a counter, with the bit that lets it count. */
function counterAddress(index: bigint, cells: number): bigint {
  const shift = new Map([
    [2, 2n],
    [4, 1n],
  ]);
  return (index << (shift.get(cells) ?? 3n)) | (1n << 19n);
}

/** Binary digits, with `*` where a bit does not count. */
function bitsOf(value: bigint, mask: bigint, width: number): string {
  const digits = Array.from({ length: width }, (_, i) => {
    const bit = BigInt(width - 1 - i);
    return (mask >> bit) & 1n ? String((value >> bit) & 1n) : '*';
  });
  return `0b${digits.join('')}`;
}

/** The table without its constant entries, and without a default that counts. */
function replaced(table: Table): Table {
  const last = defaultOf(table);
  const actions = table.actions.map((action) =>
    action === last && countsByIndex(action) ? withoutDefaults(action) : action,
  );
  return { ...table, static_entries: [], actions };
}

const withoutDefaults = (action: Action): Action => ({
  ...action,
  p4_parameters: action.p4_parameters.map(({ default_value, ...rest }) => rest),
});
