import { z } from 'zod';

/**
 * Structure of the BMv2 JSON that p4c's bmv2 back end writes (format version 2.x), as far as this
 * switch reads it. Values whose shape depends on a neighbouring `type` stay unknown here; the
 * lowering steps check them.
 */

const integer = z.number().int();
const index = integer.nonnegative();
/** Widest type. P4 names none; p4c takes 2048 bits by default. */
const WIDTH_MAX = 65_536;
export const widthSchema = index.max(WIDTH_MAX, `wanted a width of at most ${WIDTH_MAX} bits`);
/** Bytes of a header with a varbit field: an Ethernet frame is no longer. */
const LENGTH_MAX = 65_536;
const length = index.max(LENGTH_MAX, `wanted a header of at most ${LENGTH_MAX} bytes`);

const sourceInfoSchema = z
  .object({ filename: z.string().optional(), line: integer.optional() })
  .nullish();

const named = { name: z.string(), source_info: sourceInfoSchema };

/** A typed value: a leaf, or an expression around more of them. */
export const operandSchema = z.object({ type: z.string(), value: z.unknown() });

export const operationSchema = z.object({
  op: z.string(),
  left: z.unknown().optional(),
  right: z.unknown().optional(),
  cond: z.unknown().optional(),
});

export const fieldReferenceSchema = z.tuple([z.string(), z.string()]);

export const primitiveSchema = z.object({
  op: z.string(),
  parameters: z.array(operandSchema).default([]),
  source_info: sourceInfoSchema,
});
export type JsonPrimitive = z.infer<typeof primitiveSchema>;

const headerTypeSchema = z.object({
  name: z.string(),
  fields: z.array(
    z.tuple([z.string(), z.union([widthSchema, z.literal('*')])], z.union([z.boolean(), integer])),
  ),
  length_exp: z.unknown().optional(),
  /** Largest length in bytes, of types with a varbit field. */
  max_length: length.nullish(),
});

const headerSchema = z.object({
  name: z.string(),
  id: integer,
  header_type: z.string(),
  metadata: z.boolean(),
});

const stackSchema = z.object({
  name: z.string(),
  header_type: z.string(),
  size: index.optional(),
  header_ids: z.array(integer),
});

const unionTypeSchema = z.object({
  name: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
});

const unionSchema = z.object({
  name: z.string(),
  id: integer,
  union_type: z.string(),
  header_ids: z.array(integer),
});

const unionStackSchema = z.object({
  name: z.string(),
  union_type: z.string(),
  header_union_ids: z.array(integer),
});

/** Parser operations differ in their parameters; `primitive` wraps a whole primitive in one. */
const parserOperationSchema = z.object({
  op: z.string(),
  parameters: z.array(z.unknown()),
  source_info: sourceInfoSchema,
});
export type JsonParserOperation = z.infer<typeof parserOperationSchema>;

/** The default has the type 'default' and no value, or in older files the value 'default'. */
const transitionSchema = z.object({
  type: z.string().optional(),
  value: z.string().nullish(),
  mask: z.string().nullish(),
  next_state: z.string().nullable(),
});

const parserStateSchema = z.object({
  ...named,
  parser_ops: z.array(parserOperationSchema),
  transitions: z.array(transitionSchema),
  transition_key: z.array(operandSchema),
});
export type JsonParserState = z.infer<typeof parserStateSchema>;

const parserSchema = z.object({
  name: z.string(),
  init_state: z.string().nullable(),
  parse_states: z.array(parserStateSchema),
});

const deparserSchema = z.object({
  ...named,
  order: z.array(z.string()),
  primitives: z.array(primitiveSchema).default([]),
});

const calculationSchema = z.object({
  ...named,
  algo: z.string(),
  input: z.array(
    z.object({ type: z.string(), value: z.unknown(), bitwidth: widthSchema.optional() }),
  ),
});
export type JsonCalculation = z.infer<typeof calculationSchema>;

const actionSchema = z.object({
  ...named,
  id: integer,
  runtime_data: z.array(z.object({ name: z.string(), bitwidth: widthSchema })),
  primitives: z.array(primitiveSchema),
});
export type JsonAction = z.infer<typeof actionSchema>;

const keySchema = z.object({
  match_type: z.string(),
  name: z.string().optional(),
  target: z.union([fieldReferenceSchema, z.string()]),
  mask: z.string().nullish(),
});

const entryKeySchema = z.object({
  match_type: z.string(),
  key: z.union([z.string(), z.boolean()]).optional(),
  mask: z.string().optional(),
  prefix_length: index.optional(),
  start: z.string().optional(),
  end: z.string().optional(),
});
export type JsonEntryKey = z.infer<typeof entryKeySchema>;

const entrySchema = z.object({
  source_info: sourceInfoSchema,
  match_key: z.array(entryKeySchema),
  action_entry: z.object({ action_id: integer, action_data: z.array(z.string()) }),
  priority: integer.default(0),
});

const tableSchema = z.object({
  ...named,
  key: z.array(keySchema),
  match_type: z.string(),
  type: z.string(),
  max_size: index,
  with_counters: z.boolean().default(false),
  support_timeout: z.boolean().default(false),
  direct_meters: z.string().nullish(),
  action_ids: z.array(integer),
  actions: z.array(z.string()),
  base_default_next: z.string().nullable(),
  next_tables: z.record(z.string(), z.string().nullable()),
  default_entry: z
    .object({
      action_id: integer,
      action_const: z.boolean().default(false),
      action_data: z.array(z.string()).default([]),
      action_entry_const: z.boolean().default(false),
    })
    .optional(),
  entries: z.array(entrySchema).optional(),
  action_profile: z.string().optional(),
});
export type JsonTable = z.infer<typeof tableSchema>;

const actionProfileSchema = z.object({
  ...named,
  max_size: index,
  selector: z.object({ algo: z.string(), input: z.array(operandSchema) }).optional(),
});
export type JsonActionProfile = z.infer<typeof actionProfileSchema>;

const actionCallSchema = z.object({
  ...named,
  action_id: integer,
  next_node: z.string().nullish(),
});

const conditionalSchema = z.object({
  ...named,
  expression: operandSchema,
  true_next: z.string().nullable(),
  false_next: z.string().nullable(),
});

const pipelineSchema = z.object({
  ...named,
  init_table: z.string().nullable(),
  tables: z.array(tableSchema),
  action_profiles: z.array(actionProfileSchema).default([]),
  conditionals: z.array(conditionalSchema),
  action_calls: z.array(actionCallSchema).default([]),
});
export type JsonPipeline = z.infer<typeof pipelineSchema>;

const meterArraySchema = z.object({
  ...named,
  is_direct: z.boolean().default(false),
  size: index.optional(),
  rate_count: index,
  type: z.enum(['packets', 'bytes']),
  binding: z.string().nullish(),
  result_target: fieldReferenceSchema.nullish(),
});
export type JsonMeterArray = z.infer<typeof meterArraySchema>;

const fieldListSchema = z.object({
  id: integer,
  name: z.string(),
  source_info: sourceInfoSchema,
  elements: z.array(operandSchema),
});
export type JsonFieldList = z.infer<typeof fieldListSchema>;

const valueSetSchema = z.object({
  ...named,
  compressed_bitwidth: widthSchema,
  max_size: index.optional(),
});

const checksumSchema = z.object({
  ...named,
  target: fieldReferenceSchema,
  type: z.string(),
  calculation: z.string(),
  verify: z.boolean().default(true),
  update: z.boolean().default(true),
  if_cond: operandSchema.nullish(),
});

/** Constructs that are refused whenever the program declares one. */
const declared = z.array(z.object({ name: z.string().optional(), source_info: sourceInfoSchema }));

export const programSchema = z.object({
  program: z.string().default(''),
  header_types: z.array(headerTypeSchema),
  headers: z.array(headerSchema),
  header_stacks: z.array(stackSchema).default([]),
  header_union_types: z.array(unionTypeSchema).default([]),
  header_unions: z.array(unionSchema).default([]),
  header_union_stacks: z.array(unionStackSchema).default([]),
  errors: z.array(z.tuple([z.string(), integer])).default([]),
  parsers: z.array(parserSchema),
  parse_vsets: z.array(valueSetSchema).default([]),
  deparsers: z.array(deparserSchema),
  meter_arrays: z.array(meterArraySchema).default([]),
  counter_arrays: z
    .array(z.object({ ...named, size: index.optional(), is_direct: z.boolean().default(false) }))
    .default([]),
  register_arrays: z.array(z.object({ ...named, size: index, bitwidth: widthSchema })).default([]),
  calculations: z.array(calculationSchema).default([]),
  field_lists: z.array(fieldListSchema).default([]),
  learn_lists: z.array(fieldListSchema).default([]),
  actions: z.array(actionSchema),
  pipelines: z.array(pipelineSchema),
  checksums: z.array(checksumSchema).default([]),
  extern_instances: declared.default([]),
  field_aliases: z.array(z.tuple([z.string(), fieldReferenceSchema])).default([]),
});
export type JsonProgram = z.infer<typeof programSchema>;
