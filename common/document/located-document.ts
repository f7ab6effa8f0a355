import type { Document, LineCounter } from 'yaml';
import type { z } from 'zod';
import { InputError } from '../errors';
import { readYaml } from './yaml-text';

/** Keys and indexes that lead to a place in a document. */
export type DocumentPath = readonly PropertyKey[];

/** A document that its schema accepts, and where its parts stand in the text. */
export interface LocatedDocument<T> {
  readonly value: T;
  /** `file:line: path` of a place, as messages begin. */
  readonly where: (path: DocumentPath) => string;
  /** What is wrong in a place, where a schema cannot say it. */
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
  const faults = result.error.issues.map(({ path, message }) => `${where(path)}: ${message}`);
  throw new InputError(faults.join('\n'));
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

/** `links[2].between[0]` */
function pathText(path: DocumentPath): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
