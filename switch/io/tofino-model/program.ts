import * as path from 'node:path';
import { z } from 'zod';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { MODEL_CHIPS } from './chips';
import type { TofinoChip } from './chips';
import { callText } from './entry-text';
import type { ActionOutline, ProgramOutline, TableOutline } from '../../stf/run/outline';

/** A program for Tofino as packet tests see it. */
export interface TofinoProgram {
  /** The folder with the binary and `context.json`. */
  readonly pipe: string;
  readonly chip: TofinoChip;
  readonly outline: ProgramOutline;
  /** Number of entries that the harness has room for in a table. */
  readonly sizes: ReadonlyMap<string, number>;
  /** In how many stages a table lies, each of which has a selector's words of its own. */
  readonly stages: ReadonlyMap<string, number>;
  /** Actions of tables where no entry matches, with arguments. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Where registers lie. */
  readonly registers: ReadonlyMap<string, RegisterPlace>;
}

/** Memory of a register, whose cells share words. */
export interface RegisterPlace {
  readonly stage: number;
  /** Blocks of memory in order, of 1024 words each. */
  readonly units: readonly number[];
  /** The block in which a word may lie as well: each writing moves it. */
  readonly spare: number;
  readonly cellsInWord: number;
}

const reference = z.object({ name: z.string(), how_referenced: z.string() });

const stageSchema = z.object({
  size: z.number(),
  pack_format: z.array(z.object({ table_word_width: z.number() })).default([]),
});

const tableSchema = z.object({
  name: z.string(),
  table_type: z.string(),
  size: z.number().default(0),
  p4_hidden: z.boolean().default(false),
  match_key_fields: z
    .array(
      z.object({
        name: z.string(),
        match_type: z.enum(['exact', 'lpm', 'ternary', 'range']),
        bit_width_full: z.number(),
      }),
    )
    .default([]),
  actions: z
    .array(
      z.object({
        name: z.string(),
        handle: z.number(),
        p4_parameters: z
          .array(
            z.object({
              name: z.string(),
              bit_width: z.number(),
              default_value: z.string().optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  default_action_handle: z.number().optional(),
  action_data_table_refs: z.array(reference).default([]),
  selection_table_refs: z.array(reference).default([]),
  stage_tables: z.array(z.unknown()).default([]),
  match_attributes: z.object({ stage_tables: z.array(stageSchema).default([]) }).optional(),
});

const registerSchema = z.object({
  name: z.string(),
  table_type: z.literal('stateful'),
  stage_tables: z
    .array(
      z.object({
        stage_number: z.number(),
        pack_format: z.array(z.object({ entries_per_table_word: z.number() })).min(1),
        memory_resource_allocation: z.object({
          memory_units_and_vpns: z.array(z.object({ memory_units: z.array(z.number()) })),
          spare_bank_memory_unit: z.number(),
        }),
      }),
    )
    .min(1),
});

const contextSchema = z.object({
  target: z.enum(['tofino', 'tofino2']),
  tables: z.array(z.unknown()),
});

type Table = z.infer<typeof tableSchema>;

/**
 * Reads what the compiler has written of a program.
 * @param folder of the program, as `hpcc p4 build --target tna` leaves it: with `pipe/` in it.
 * @throws InputError when there is no such program.
 */
export function readTofinoProgram(folder: string): TofinoProgram {
  const pipe = path.resolve(folder, 'pipe');
  const { target, tables: all } = readContext(path.join(pipe, 'context.json'));
  const tables = all.map((each) => tableSchema.parse(each));
  const matches = tables.filter((table) => table.table_type === 'match' && !table.p4_hidden);
  const ofType = (type: string): Table[] => tables.filter((table) => table.table_type === type);
  const profiles = new Map(matches.map((table) => [profileOf(table), table.actions]));
  return {
    pipe,
    chip: MODEL_CHIPS[target],
    outline: {
      tables: matches.map(tableOutline),
      profiles: [...profiles].flatMap(([name, actions]) =>
        name === undefined ? [] : [{ name, actions: actions.map(actionOutline) }],
      ),
      counters: ofType('statistics').map(({ name }) => ({ name, table: undefined })),
      registers: ofType('stateful'),
      meters: ofType('meter'),
      valueSets: [],
      digests: [],
    },
    sizes: new Map(tables.map((table) => [table.name, roomIn(table)])),
    stages: new Map(tables.map(({ name, stage_tables: stages }) => [name, stages.length])),
    defaults: new Map(matches.flatMap(defaultOf)),
    registers: registerPlaces(all),
  };
}

/** Entries that the harness places: of stages with words of several widths in the last one alone. */
function roomIn({ size, match_attributes: match }: Table): number {
  const stages = match?.stage_tables ?? [];
  const widths = new Set(stages.map((stage) => stage.pack_format[0]?.table_word_width));
  return widths.size > 1 ? (stages.at(-1)?.size ?? size) : size;
}

function defaultOf({
  name,
  actions,
  default_action_handle: last,
}: Table): readonly (readonly [string, string])[] {
  const action = actions.find(({ handle }) => handle === last);
  if (action === undefined) return [];
  const values = action.p4_parameters.map((each) => BigInt(each.default_value ?? 0));
  const call = { action: action.name, actionId: action.handle, arguments: values };
  return [[name, callText([actionOutline(action)], call)]];
}

function registerPlaces(tables: readonly unknown[]): TofinoProgram['registers'] {
  const places = new Map<string, RegisterPlace>();
  for (const each of tables) {
    const register = registerSchema.safeParse(each).data;
    const stage = register?.stage_tables[0];
    if (register === undefined || stage === undefined) continue;
    const memory = stage.memory_resource_allocation;
    places.set(register.name, {
      stage: stage.stage_number,
      units: memory.memory_units_and_vpns.flatMap(({ memory_units: units }) => units),
      spare: memory.spare_bank_memory_unit,
      cellsInWord: stage.pack_format[0]?.entries_per_table_word ?? 1,
    });
  }
  return places;
}

function readContext(file: string): z.infer<typeof contextSchema> {
  let text: string;
  try {
    text = readTextFile(file);
  } catch {
    throw new InputError(`wanted a program compiled for Tofino, found no readable ${file}`);
  }
  try {
    return contextSchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`wanted the context of a program for Tofino in ${file}: ${reason}`);
  }
}

/** Name of an indirect table's selector, or of its action profile where it has none. */
function profileOf({
  action_data_table_refs: data,
  selection_table_refs: selectors,
}: Table): string | undefined {
  const profile = data.find((each) => each.how_referenced === 'indirect')?.name;
  return profile === undefined ? undefined : (selectors[0]?.name ?? profile);
}

function tableOutline(table: Table): TableOutline {
  const key = table.match_key_fields.map(({ name, match_type, bit_width_full }) => ({
    name,
    matchKind: match_type,
    width: bit_width_full,
  }));
  return {
    name: table.name,
    key,
    hasPriorities: key.some(({ matchKind }) => matchKind === 'ternary' || matchKind === 'range'),
    actions: table.actions.map(actionOutline),
    actionProfile: profileOf(table),
  };
}

const actionOutline = ({
  name,
  handle,
  p4_parameters,
}: Table['actions'][number]): ActionOutline => ({
  id: handle,
  name,
  parameters: p4_parameters.map((each) => ({ name: each.name, width: each.bit_width })),
});
