import { z } from 'zod';
import { networkSchema } from '../../controller/document/schema';
import { CHECKED_BY } from '../../emulator/scenario/data-plane-schema';
import { documentSchema } from '../../emulator/scenario/schema';
import { studySchema } from '../../emulator/study/study-document';
import { experimentSchema } from '../../mininet/experiment/experiment';

/** A JSON Schema, of draft 2020-12, as far as documents use it. */
export interface JsonSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

interface Kind {
  readonly title: string;
  readonly schema: z.ZodType;
  /** True if any number or word may stand in the text as `$name`, for a parameter. */
  readonly hasParameters?: true;
}

/** Documents that people write for `hpcc`, by name. */
export const DOCUMENTS = {
  scenario: { title: 'Scenario of hpcc run and compare', schema: documentSchema },
  network: { title: 'Network of hpcc controller', schema: networkSchema },
  study: { title: 'Study of hpcc study', schema: studySchema },
  experiment: {
    title: 'Experiment of hpcc mininet',
    schema: experimentSchema,
    hasParameters: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type DocumentName = keyof typeof DOCUMENTS;

export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as readonly DocumentName[];

/**
 * JSON Schema of a document as people write it, for editors and other programs. It says what the keys, types and
 * ranges are; rules between keys are known to the commands alone.
 */
export function jsonSchemaOf(name: DocumentName): JsonSchema {
  const { title, schema, ...kind }: Kind = DOCUMENTS[name];
  const made: JsonSchema = { ...asJsonSchema(schema), title };
  return kind.hasParameters === true ? withParameters(made) : made;
}

const asJsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // Lost behind a step that may change the value, which this one does not.
      if (def.type === 'default' && preprocessed(def.innerType)) {
        Object.assign(jsonSchema, { default: def.defaultValue });
      }
      const standsFor = CHECKED_BY.get(zodSchema) ?? preprocessed(zodSchema);
      if (standsFor === undefined) return;
      const { $schema: _, ...part } = asJsonSchema(standsFor) as JsonSchema & { $schema?: string };
      Object.assign(jsonSchema, part, jsonSchema);
    },
  }) as JsonSchema;

/** The schema of today's spelling behind a step that understands older ones. */
function preprocessed(schema: z.core.$ZodType): z.ZodType | undefined {
  const { def } = schema._zod;
  if (def.type !== 'pipe') return undefined;
  const { in: first, out } = def as z.core.$ZodPipeDef;
  return first._zod.def.type === 'transform' ? (out as z.ZodType) : undefined;
}

const PARAMETER: JsonSchema = { type: 'string', pattern: String.raw`^\$[A-Za-z]` };

/** The same with a parameter in place of any number, and of any text of a certain form. */
function withParameters(part: JsonSchema): JsonSchema {
  const inAll = (parts: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
    Object.fromEntries(Object.entries(parts).map(([key, own]) => [key, withParameters(own)]));
  const inList = (parts: readonly JsonSchema[]): JsonSchema[] => parts.map(withParameters);
  const { properties, additionalProperties: others, items, anyOf, oneOf } = part;
  const changed: JsonSchema = {
    ...part,
    ...(properties !== undefined && { properties: inAll(properties) }),
    ...(typeof others === 'object' && { additionalProperties: withParameters(others) }),
    ...(typeof items === 'object' && { items: withParameters(items) }),
    ...(anyOf !== undefined && { anyOf: inList(anyOf) }),
    ...(oneOf !== undefined && { oneOf: inList(oneOf) }),
  };
  if (!isReplaceable(part)) return changed;
  const { description, default: usual, ...own } = changed;
  return {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    anyOf: [own, PARAMETER],
  };
}

const isReplaceable = ({ type, pattern, enum: choices }: JsonSchema): boolean =>
  type === 'number' || type === 'integer' || pattern !== undefined || choices !== undefined;
