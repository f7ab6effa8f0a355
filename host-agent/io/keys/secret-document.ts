import * as fs from 'node:fs';
import type * as zod from 'zod';
import { firstSchemaFault } from '../../../common/document/schema-faults';
import { InputError } from '../../../common/errors';
import { readOpenText } from '../../../common/io/bounded-file';

/** An option that names a file with secrets. */
export interface SecretFile {
  /** Option as on the command line, such as `--keys`. */
  readonly option: string;
  readonly path: string;
}

/**
 * Reads a JSON document that no error may quote.
 * @param schemaOf makes its schema; the schema library is loaded with the first document.
 * @throws InputError naming the option, the file and what is wrong with it.
 */
export function readSecretDocument<Schema extends zod.z.ZodType>(
  { option, path }: SecretFile,
  schemaOf: (schemas: typeof zod) => Schema,
): zod.z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(readPrivateText({ option, path }));
  } catch (error) {
    if (error instanceof InputError) throw error;
    // The parser's message would quote the text, which has keys in it.
    const reason = error instanceof SyntaxError ? 'is not JSON' : (error as Error).message;
    throw new InputError(`${option} ${path}: ${reason}`);
  }
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: most hosts start without such a document
  const result = schemaOf(require('zod') as typeof zod).safeParse(value);
  if (result.success) return result.data;
  throw new InputError(`${option} ${path}: ${firstSchemaFault(result.error)}`);
}

const SECRET_BYTES_MAX = 4 * 1024 * 1024;

/** Rights of the group and of others, to read or to write. */
const OTHERS = 0o066;

/**
 * Text of a file that nobody else may read or write. The file that is judged is the one that is read, even if the name changes hands
 * meanwhile.
 * @throws InputError naming the option and the file.
 */
export function readPrivateText({ option, path }: SecretFile): string {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const mode = fs.fstatSync(fd).mode & 0o777;
    if ((mode & OTHERS) === 0) return readOpenText(fd, path, SECRET_BYTES_MAX);
    const found = mode.toString(8).padStart(4, '0');
    throw new InputError(
      `${option} ${path}: others may read or write it (mode ${found}): wanted 0600, as chmod 600 makes it`,
    );
  } finally {
    fs.closeSync(fd);
  }
}
