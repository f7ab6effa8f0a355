import type { z } from 'zod';

/** Keys and indexes that lead to a place in a document. */
export type DocumentPath = readonly PropertyKey[];

type Issue = Pick<z.core.$ZodIssue, 'code' | 'message' | 'path'> & { readonly expected?: unknown };

/** Words for the types of JSON. */
export const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a section',
  record: 'a section',
};

/** True if a schema wanted something where nothing is. */
export const isMissing = ({ code, message }: Issue): boolean =>
  code === 'invalid_type' && message.endsWith('received undefined');

/** Faults that a schema has found, each as `links[2].between[0]: is missing; wanted a text`. */
export function schemaFaults({ issues }: { readonly issues: readonly Issue[] }): string[] {
  return issues.map((issue) => {
    const path = pathText(issue.path);
    return path === '' ? sentenceOf(issue) : `${path}: ${sentenceOf(issue)}`;
  });
}

/** The first of the faults. */
export const firstSchemaFault = (error: { readonly issues: readonly Issue[] }): string =>
  schemaFaults(error)[0] ?? 'unknown fault';

/** Sentence of a fault, without its place. */
export function sentenceOf(issue: Issue): string {
  if (!isMissing(issue)) return issue.message;
  return `is missing; wanted ${NOUNS[String(issue.expected)] ?? 'a value'}`;
}

/** `links[2].between[0]` */
export function pathText(path: DocumentPath): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
