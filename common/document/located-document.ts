import type { Document, LineCounter } from 'yaml';
import { z } from 'zod';
import { InputError } from '../errors';
import { isMissing, NOUNS, pathText } from './schema-faults';
import type { DocumentPath } from './schema-faults';
import { readYaml } from './yaml-text';

/** A document that its schema accepts, and where its parts stand in the text. */
export interface LocatedDocument<T> {
  readonly value: T;
  /** `file:line: path` of a place, as messages begin. */
  readonly where: (path: DocumentPath) => string;
  /** Error for a fault at a path of the document that a schema cannot express. */
  readonly fault: (path: DocumentPath, sentence: string) => InputError;
}

/**
 * Reads YAML, of which JSON is a part, and checks it against a schema.
 * @param root word for the whole document in messages.
 * @throws InputError with one line per fault: file, line, path and what was expected.
 */
export function parseLocated<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  root: string,
): LocatedDocument<T> {
  const { document, lines, value } = readYaml(text, file);
  const where = (path: DocumentPath): string =>
    `${file}:${lineOf(document, lines, path)}: ${pathText(path) || root}`;
  const result = schema.safeParse(value);
  if (result.success) {
    const fault = (path: DocumentPath, sentence: string): InputError =>
      new InputError(`${where(path)}: ${sentence}`);
    return { value: result.data, where, fault };
  }
  const faults = result.error.issues.map((issue) => {
    const sentence = isMissing(issue) ? missing(schema, issue.path) : issue.message;
    return `${where(issue.path)}: ${sentence}`;
  });
  throw new InputError(faults.join('\n'));
}

/**
 * As {@link parseLocated}, on JSON text that a program has just written.
 * PERF: a reader that knows the places of all parts takes some hundred times as long, and places
 * are needed only for faults.
 */
export function parseWritten<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  root: string,
): LocatedDocument<T> {
  const located = (): LocatedDocument<T> => parseLocated(text, file, schema, root);
  const result = schema.safeParse(JSON.parse(text));
  if (!result.success) return located();
  return {
    value: result.data,
    where: (path) => located().where(path),
    fault: (path, sentence) => located().fault(path, sentence),
  };
}

/** The keywords of a JSON Schema that an error message names. */
interface Wanted {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Wanted>>;
  readonly items?: Wanted;
  readonly anyOf?: readonly Wanted[];
  readonly oneOf?: readonly Wanted[];
}

/** Says what a key that is not there should hold. */
function missing(schema: z.ZodType, path: DocumentPath): string {
  const root = wantedBy(schema);
  const found = path.reduce<Wanted | undefined>((part, key) => partOf(part, key), root);
  return `is missing${found === undefined ? '' : `; wanted ${wantedText(found)}`}`;
}

const WANTED = new WeakMap<z.ZodType, Wanted>();

/** PERF: a schema never changes, and turning it round takes longer than reading most documents. */
function wantedBy(schema: z.ZodType): Wanted {
  const known = WANTED.get(schema);
  if (known !== undefined) return known;
  const wanted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Wanted;
  WANTED.set(schema, wanted);
  return wanted;
}

function partOf(part: Wanted | undefined, key: PropertyKey): Wanted | undefined {
  if (part === undefined) return undefined;
  const own = typeof key === 'number' ? part.items : part.properties?.[String(key)];
  if (own !== undefined) return own;
  const ways = [...(part.anyOf ?? []), ...(part.oneOf ?? [])];
  return ways.map((way) => partOf(way, key)).find((each) => each !== undefined);
}

function wantedText({ type = '', required = [], enum: words }: Wanted): string {
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (type !== 'object') return NOUNS[type] ?? 'a value';
  return required.length === 0 ? 'a section' : `a section with ${required.join(', ')}`;
}

/** The line of the innermost part on the way that the text has. */
function lineOf(document: Document, lines: LineCounter, path: DocumentPath): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range !== undefined) return lines.linePos(range[0]).line;
  }
  return 1;
}
