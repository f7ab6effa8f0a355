import type * as S3 from '@aws-sdk/client-s3';
import * as fs from 'node:fs';
import type { Readable } from 'node:stream';
import * as path from 'node:path';
import * as zlib from 'node:zlib';
import { firstSchemaFault } from '../../../common/document/schema-faults';
import { InputError, failureText } from '../../../common/errors';
import { loadPackage, requirePackages } from '../../../common/io/optional-packages';
import { openOutputFolder } from '../../../common/io/output-folder';
import { writeAtomically } from '../../../common/io/atomic-file';
import { resultSchema } from '../../result/result';
import type { Result } from '../../result/result';

/** Place for whole results of cells, which would only make a database large. */
export interface KeptResults {
  /** Time for one object, in ms; two minutes unless given. */
  readonly patienceMs?: number;
  /** Most bytes of one object, whose text may have nearly twice as many; 256 MB unless given. */
  readonly bytesMax?: number;
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<unknown>;
  /** The bytes piece by piece; undefined for what has none. */
  get(name: string, signal: AbortSignal): Promise<Readable | undefined>;
}

const nameOf = (cell: string): string => `${cell}.json.gz`;

/**
 * Leaves the whole result of a cell in a folder or an S3-compatible store.
 * @throws InputError when it cannot be written there.
 */
export async function keepResult(
  where: string,
  { cell, result }: { readonly cell: string; readonly result: Result },
  place = placeAt(where),
): Promise<void> {
  const kept: KeptFile = { schema: KEPT_SCHEMA, cell, result };
  const bytes = zlib.gzipSync(JSON.stringify(kept));
  await reached(where, place, (signal) => place.put(nameOf(cell), bytes, signal));
}

/**
 * Takes a result back. A store may return anything: too much, what stands for too much, another cell's result, or
 * nothing for ever.
 * @throws InputError when there is none, or what is there is not the result of this cell.
 */
export async function keptResult(
  where: string,
  cell: string,
  place = placeAt(where),
): Promise<Result> {
  const { bytesMax = KEPT_BYTES_MAX } = place;
  const bytes = await reached(where, place, async (signal) =>
    boundedBytes(await place.get(nameOf(cell), signal), bytesMax, signal),
  );
  const wrong = (what: string): InputError =>
    new InputError(`results in ${where}: ${nameOf(cell)} ${what}`);
  let kept: Partial<KeptFile> | null;
  try {
    const maxOutputLength = 2 * bytesMax - 1024;
    const text = zlib.gunzipSync(bytes, { maxOutputLength }).toString('utf8');
    kept = JSON.parse(text) as Partial<KeptFile> | null;
  } catch (error) {
    throw wrong(`is no compressed result: ${firstLine((error as Error).message)}`);
  }
  if (kept?.schema !== KEPT_SCHEMA) throw wrong(`is no result of a cell: wanted ${KEPT_SCHEMA}`);
  if (kept.cell !== cell)
    throw wrong(`is the result of another cell: ${JSON.stringify(kept.cell)}`);
  const { data, error } = resultSchema.safeParse(kept.result);
  if (data !== undefined) return data;
  throw wrong(`is no result: ${firstSchemaFault(error)}`);
}

/** The content of a kept file: a result does not say whose it is. */
interface KeptFile {
  readonly schema: typeof KEPT_SCHEMA;
  readonly cell: string;
  readonly result: Result;
}

const KEPT_SCHEMA = 'hpcc-kept/1';
/** Bytes of a compressed result; twice that is as long as a text can be. */
export const KEPT_BYTES_MAX = 256 * 1024 * 1024;
/** Time for one object, in ms. */
export const STORE_MS = 120_000;

const placeAt = (where: string): KeptResults =>
  where.includes('://') ? storeAt(where) : folderAt(where);

async function reached<T>(
  where: string,
  { patienceMs = STORE_MS }: KeptResults,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await inTime(patienceMs, use);
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
    get: async (name) => {
      // A pipe that nobody writes to ends at once.
      const flags = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;
      const handle = await fs.promises.open(path.join(folder, name), flags);
      return handle.createReadStream();
    },
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
    put: async (name, bytes, abortSignal) => {
      const s3 = library();
      const command = new s3.PutObjectCommand({ Bucket, Key: Key(name), Body: bytes });
      await open(s3).send(command, { abortSignal });
    },
    get: async (name, abortSignal) => {
      const s3 = library();
      const command = new s3.GetObjectCommand({ Bucket, Key: Key(name) });
      const { Body } = await open(s3).send(command, { abortSignal });
      return Body as Readable | undefined;
    },
  };
}

/** @throws InputError when the store has not done its part in time, whether it heeds the signal or not. */
async function inTime<T>(ms: number, use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new InputError(`the store has not answered within ${ms / 1000} s`));
      late.abort();
    }, ms);
  });
  try {
    return await Promise.race([use(late.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws InputError for more bytes than a result can have. */
async function boundedBytes(
  body: Readable | undefined,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const end = (): void => void body.destroy();
  signal.addEventListener('abort', end);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new InputError('the store sends more than any result has');
      chunks.push(chunk);
    }
  } finally {
    signal.removeEventListener('abort', end);
    body.destroy();
  }
  return Buffer.concat(chunks);
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
