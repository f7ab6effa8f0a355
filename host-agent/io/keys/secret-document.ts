import * as fs from 'node:fs';
import type { z } from 'zod';
import { InputError } from '../../../common/errors';

/** An option that names a file with secrets. */
export interface SecretFile {
  /** As on the command line, such as `--keys`. */
  readonly option: string;
  readonly path: string;
}

/**
 * Reads a JSON document that no error may quote.
 * @throws InputError naming the option, the file and what is wrong with it.
 */
export function readSecretDocument<Schema extends z.ZodType>(
  { option, path }: SecretFile,
  schema: Schema,
): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(path, 'utf8'));
  } catch (error) {
    // The parser's message would quote the text, which has keys in it.
    const reason = error instanceof SyntaxError ? 'is not JSON' : (error as Error).message;
    throw new InputError(`${option} ${path}: ${reason}`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new InputError(`${option} ${path}: ${where} ${issue?.message ?? ''}`);
}
