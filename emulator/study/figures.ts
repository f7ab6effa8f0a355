import { z } from 'zod';
import { SUMMARY_SCHEMA } from './summary';
import type { Summary } from './summary';

/** Values of figures by their paths, with `*` resolved; what a run did not show is missing. */
export type Figures = ReadonlyMap<string, number>;

/** Fault of a figure's path; undefined when the summary of a run can have the figure. */
export function figureFault(path: string): string | undefined {
  const keys = path.split('.');
  let schema: z.ZodType = SUMMARY_SCHEMA;
  for (const [i, key] of keys.entries()) {
    const at = keys.slice(0, i).join('.') || 'the result';
    const next = step(plain(schema), key);
    if (next === undefined) return `no figure '${path}': ${at} has ${knownKeys(plain(schema))}`;
    schema = next;
  }
  const end = plain(schema);
  if (end instanceof z.ZodNumber) return undefined;
  return `'${path}' is no number: it has ${knownKeys(end)}`;
}

/** The numbers that a path leads to. */
export function figuresAt(summary: Summary, path: string): Figures {
  const found = new Map<string, number>();
  collect(summary, path.split('.'), [], found);
  return found;
}

function collect(
  value: unknown,
  rest: readonly string[],
  at: string[],
  found: Map<string, number>,
) {
  const [key, ...others] = rest;
  if (key === undefined) {
    if (typeof value === 'number') found.set(at.join('.'), value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value);
  for (const [name, part] of key === '*' ? entries : entries.filter(([one]) => one === key)) {
    collect(part, others, [...at, name], found);
  }
}

/** A schema without what says that a value may be absent. */
function plain(schema: z.ZodType): z.ZodType {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
  return inner as z.ZodType;
}

function step(schema: z.ZodType, key: string): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as Record<string, z.ZodType>)[key];
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  const isIndex = key === '*' || /^\d+$/.test(key);
  if (schema instanceof z.ZodArray && isIndex) return schema.element as z.ZodType;
  return undefined;
}

function knownKeys(schema: z.ZodType): string {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape).join(', ');
  if (schema instanceof z.ZodArray) return 'an index, or * for all';
  if (schema instanceof z.ZodRecord) return 'names';
  return 'nothing inside';
}
