import type * as S3 from '@aws-sdk/client-s3';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as zlib from 'node:zlib';
import { InputError, failureText } from '../../../common/errors';
import { loadPackage, requirePackages } from '../../../common/io/optional-packages';
import { openOutputFolder } from '../../../common/io/output-folder';
import { writeAtomically } from '../../../common/io/atomic-file';
import type { Result } from '../../result/result';

/** Place for whole results of cells, which would only make a database large. */
interface KeptResults {
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array>;
}

const nameOf = (cell: string): string => `${cell}.json.gz`;

/**
 * Leaves the whole result of a cell in a folder or an S3-compatible store.
 * @throws InputError when it cannot be written there.
 */
export async function keepResult(where: string, cell: string, result: Result): Promise<void> {
  const bytes = zlib.gzipSync(JSON.stringify(result));
  await reached(where, (kept) => kept.put(nameOf(cell), bytes));
}

/** @throws InputError when there is none. */
export async function keptResult(where: string, cell: string): Promise<Result> {
  const bytes = await reached(where, (kept) => kept.get(nameOf(cell)));
  return JSON.parse(zlib.gunzipSync(bytes).toString('utf8')) as Result;
}

async function reached<T>(where: string, use: (kept: KeptResults) => Promise<T>): Promise<T> {
  const kept = where.includes('://') ? storeAt(where) : folderAt(where);
  try {
    return await use(kept);
  } catch (error) {
    throw new InputError(`results in ${where}: ${firstLine(failureText(error))}`);
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

function folderAt(folder: string): KeptResults {
  return {
    put: (name, bytes) =>
      Promise.resolve().then(() => {
        openOutputFolder(folder);
        writeAtomically(path.join(folder, name), bytes);
      }),
    get: (name) => fs.promises.readFile(path.join(folder, name)),
  };
}

/**
 * `s3://bucket/prefix`; endpoint, region and keys are those of the environment, as for all programs that
 * use Amazon's library: AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.
 */
function storeAt(where: string): KeptResults {
  const { Bucket, prefix } = checkStore(where);
  const library = (): typeof S3 => loadPackage(purposeOf(where), '@aws-sdk/client-s3') as typeof S3;
  let client: S3.S3Client | undefined;
  const open = ({ S3Client }: typeof S3): S3.S3Client =>
    // A bucket of a store of one's own is a part of its path, not of its host's name.
    (client ??= new S3Client({
      forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined,
    }));
  const Key = (name: string): string => `${prefix}${name}`;
  return {
    put: async (name, bytes) => {
      const s3 = library();
      await open(s3).send(new s3.PutObjectCommand({ Bucket, Key: Key(name), Body: bytes }));
    },
    get: async (name) => {
      const s3 = library();
      const { Body } = await open(s3).send(new s3.GetObjectCommand({ Bucket, Key: Key(name) }));
      return Body?.transformToByteArray() ?? new Uint8Array();
    },
  };
}

const purposeOf = (where: string): string => `--keep ${where}`;

/** @throws InputError when this installation cannot write to a store at the address. */
export function requireStore(where: string): void {
  checkStore(where);
  requirePackages(purposeOf(where), ['@aws-sdk/client-s3']);
}

/**
 * Looks at the address alone, before anything runs.
 * @throws InputError when it is neither a folder nor one of a store.
 */
export function checkStore(where: string): { readonly Bucket: string; readonly prefix: string } {
  const found = /^s3:\/\/([a-z\d][a-z\d.-]*)(?:\/(.*?))?\/*$/.exec(where);
  if (found === null)
    throw new InputError(`--keep ${where}: wanted a folder, or s3://bucket/prefix`);
  const [, Bucket = '', prefix = ''] = found;
  return { Bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}
