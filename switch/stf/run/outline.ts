import { z } from 'zod';
import { InputError } from '../../../common/errors';
import type { MatchKind } from '../../../common/p4runtime/key-field';

/** An action as a table or profile knows it. */
export interface ActionOutline {
  readonly id: number;
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly width: number }[];
}

export interface KeyOutline {
  readonly name: string;
  readonly matchKind: MatchKind;
  /** Width in bits. */
  readonly width: number;
}

export interface TableOutline {
  readonly name: string;
  readonly key: readonly KeyOutline[];
  /** Entries compete by priority: some key field is ternary or a range. */
  readonly hasPriorities: boolean;
  readonly actions: readonly ActionOutline[];
  /** Name of the action profile of an indirect table. */
  readonly actionProfile: string | undefined;
}

interface ProfileOutline {
  readonly name: string;
  readonly actions: readonly ActionOutline[];
}

interface CounterOutline {
  readonly name: string;
  /** The table of a direct counter. */
  readonly table: string | undefined;
}

interface Named {
  readonly name: string;
}

/** Names that a test may use, with widths and actions, from the BMv2 JSON. */
export interface ProgramOutline {
  readonly tables: readonly TableOutline[];
  readonly profiles: readonly ProfileOutline[];
  readonly counters: readonly CounterOutline[];
  readonly registers: readonly Named[];
  readonly meters: readonly Named[];
  readonly valueSets: readonly (Named & { readonly width: number })[];
  readonly digests: readonly Named[];
}

const named = z.object({ name: z.string() });
const fieldReference = z.tuple([z.string(), z.string()]);

const tableSchema = z.object({
  name: z.string(),
  match_type: z.string(),
  key: z.array(
    z.object({
      match_type: z.enum(['exact', 'lpm', 'ternary', 'range', 'optional', 'valid', 'selector']),
      name: z.string().optional(),
      target: z.union([fieldReference, z.string()]),
    }),
  ),
  action_ids: z.array(z.number()),
  action_profile: z.string().optional(),
});

const programSchema = z.object({
  header_types: z.array(
    z.object({
      name: z.string(),
      fields: z.array(z.tuple([z.string(), z.union([z.number(), z.literal('*')])]).rest(z.any())),
    }),
  ),
  headers: z.array(z.object({ name: z.string(), header_type: z.string() })),
  actions: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      runtime_data: z.array(z.object({ name: z.string(), bitwidth: z.number() })),
    }),
  ),
  counter_arrays: z
    .array(z.object({ name: z.string(), binding: z.string().optional() }))
    .default([]),
  register_arrays: z.array(named).default([]),
  meter_arrays: z.array(named).default([]),
  learn_lists: z.array(named).default([]),
  parse_vsets: z.array(z.object({ name: z.string(), compressed_bitwidth: z.number() })).default([]),
  pipelines: z.array(
    z.object({ action_profiles: z.array(named).default([]), tables: z.array(tableSchema) }),
  ),
});

type Json = z.infer<typeof programSchema>;
type JsonTable = z.infer<typeof tableSchema>;

/**
 * Reads from a BMv2 JSON only what tests refer to, so that a test means the same on every target.
 * @throws InputError when the text is not what p4c writes.
 */
export function readOutline(text: string): ProgramOutline {
  const json = parse(text);
  const widths = fieldWidths(json);
  const actions = new Map(
    json.actions.map(({ id, name, runtime_data }) => [
      id,
      { id, name, parameters: runtime_data.map((item) => ({ ...item, width: item.bitwidth })) },
    ]),
  );
  const tables = json.pipelines
    .flatMap((pipeline) => pipeline.tables)
    .map((table) => tableOutline(table, widths, actions));
  return {
    tables,
    profiles: json.pipelines
      .flatMap((pipeline) => pipeline.action_profiles)
      .map(({ name }) => ({ name, actions: actionsOfProfile(tables, name) })),
    counters: json.counter_arrays.map(({ name, binding }) => ({ name, table: binding })),
    registers: json.register_arrays,
    meters: json.meter_arrays,
    valueSets: json.parse_vsets.map(({ name, compressed_bitwidth }) => ({
      name,
      width: compressed_bitwidth,
    })),
    digests: json.learn_lists,
  };
}

function parse(text: string): Json {
  try {
    return programSchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`wanted the BMv2 JSON of a P4 program: ${reason}`);
  }
}

/** Widths by `header.field`; a header's hidden validity is one bit. */
function fieldWidths(json: Json): (target: JsonTable['key'][number]['target']) => number {
  const types = new Map(json.header_types.map((type) => [type.name, new Map(fieldsOf(type))]));
  const instances = new Map(json.headers.map(({ name, header_type }) => [name, header_type]));
  return (target) => {
    if (typeof target === 'string') return 1;
    const [header, field] = target;
    return types.get(instances.get(header) ?? '')?.get(field) ?? 1;
  };
}

function fieldsOf(type: Json['header_types'][number]): [string, number][] {
  return type.fields.map(([name, width]) => [name, width === '*' ? 0 : width]);
}

function tableOutline(
  table: JsonTable,
  width: ReturnType<typeof fieldWidths>,
  actions: ReadonlyMap<number, ActionOutline>,
): TableOutline {
  const key = table.key.flatMap(({ match_type, name, target }) =>
    match_type === 'selector'
      ? []
      : {
          name: name ?? (typeof target === 'string' ? target : target.join('.')),
          matchKind: match_type === 'valid' ? ('exact' as const) : match_type,
          width: width(target),
        },
  );
  return {
    name: table.name,
    key,
    hasPriorities: !['exact', 'lpm', 'valid'].includes(table.match_type),
    actions: table.action_ids.flatMap((id) => actions.get(id) ?? []),
    actionProfile: table.action_profile,
  };
}

/** Members may call whatever the tables of the profile list. */
function actionsOfProfile(tables: readonly TableOutline[], profile: string): ActionOutline[] {
  const all = tables.filter((table) => table.actionProfile === profile).flatMap((t) => t.actions);
  return [...new Map(all.map((action) => [action.id, action])).values()];
}
