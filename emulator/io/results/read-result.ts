import * as fs from 'node:fs';
import * as path from 'node:path';
import type { z } from 'zod';
import { readTextFile } from '../../../common/io/bounded-file';
import { schemaFaults } from '../../../common/document/schema-faults';
import { InputError } from '../../../common/errors';
import { RESULT_SCHEMA } from '../../result/result';
import type { Result } from '../../result/result';
import { resultFaults } from '../../view/data/result-faults';

/** Faults that one message names. */
const FAULTS_SHOWN = 5;

/**
 * A result from its file, or from the folder that a run has written it to.
 * @param schemaOf chooses the schema by what the file says of itself.
 * @throws InputError naming file and place when it is no result, or one that contradicts itself.
 */
export function readResult<T extends Result>(
  given: string,
  schemaOf: (document: object) => z.ZodType<T>,
): { readonly result: T; readonly folder: string } {
  const file = fs.statSync(given, { throwIfNoEntry: false })?.isDirectory()
    ? path.join(given, 'result.json')
    : given;
  const document = readJson(file);
  checkKind(document, file);
  const parsed = schemaOf(document).safeParse(document);
  const faults = parsed.success ? resultFaults(parsed.data) : schemaFaults(parsed.error);
  if (parsed.success && faults.length === 0) {
    return { result: parsed.data, folder: path.dirname(file) };
  }
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : [];
  throw new InputError(
    `${file} is no result of this version: ${[...faults.slice(0, FAULTS_SHOWN), ...more].join('; ')}`,
  );
}

/** Refuses a document of another kind, of which nothing else is worth saying. */
function checkKind(document: { readonly schema?: unknown }, file: string): void {
  const { schema } = document;
  if (schema === RESULT_SCHEMA) return;
  const found = schema === undefined ? 'a document without schema' : JSON.stringify(schema);
  throw new InputError(
    `${file} is no result: wanted the result.json of a run ("schema": "${RESULT_SCHEMA}"), found ${found}`,
  );
}

function readJson(file: string): object {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null) return document;
  } catch (error) {
    throw new InputError(`${file} is no JSON: ${(error as Error).message}`);
  }
  throw new InputError(`${file} is no result: wanted an object`);
}
