import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { letPacketsPass } from '../../../common/io/packets-first';
import { RpcError, STATUS_DETAILS_KEY, P4_ERROR_TYPE_URL } from '../../../common/p4runtime/codes';
import { RPC_CODE } from '../../../common/p4runtime/rpc-code';
import { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import { Status } from '../../../common/p4runtime/generated/google/rpc/status';
import { Error as P4Error } from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { BatchError } from './outcomes';
import type { Outcomes, Refusal } from './outcomes';

/** Space of the numeric codes of our errors, if they had any. */
export const ERROR_SPACE = 'hpcc-switch';

/**
 * Bytes that the details of a refused batch take at most. Clients made of gRPC's C core (grpcio) refuse all headers
 * of an answer from 8,192 bytes on, at random at first and from 16,384 on always, with RESOURCE_EXHAUSTED and no
 * reason at all. Details travel in base64, four characters for three bytes, beside the message.
 */
const DETAILS_BYTES_MAX = 4_800;
/** Bytes of any message of a status as it travels: gRPC encodes what is no printable ASCII in three bytes each. */
const MESSAGE_BYTES_MAX = 1_200;
/** Bytes that all reasons may take together, unless that leaves less than the least for each. */
const REASONS_MAX = 2_400;
const REASON_MIN = 32;
/** Bytes of each reason that the message itself gives. */
const LATER_REASON_MAX = 120;

/** Runs a handler; what it throws becomes the status of the call. */
export async function respond<Response>(
  handler: () => Response | Promise<Response>,
  callback: (error: RefusedCall | null, response?: Response) => void,
): Promise<void> {
  let response: Response;
  try {
    response = await handler();
  } catch (error) {
    letPacketsPass();
    callback(serviceError(error));
    return;
  }
  letPacketsPass();
  callback(null, response);
}

/**
 * The status of a refused call (P4Runtime 1.5.0, chapter "Error Reporting Messages"). A batch gets
 * UNKNOWN and one p4.v1.Error per element, in the trailer that gRPC has for details.
 */
export function serviceError(error: unknown): RefusedCall {
  if (error instanceof BatchError) return batchError(error);
  const { message, codeName } = asRpcError(error);
  return new RefusedCall(RPC_CODE[codeName], cutEncoded(message, MESSAGE_BYTES_MAX), []);
}

/** Status of a call that is refused, with what follows it. */
export class RefusedCall extends Error implements ServiceError {
  constructor(
    readonly code: number,
    readonly details: string,
    readonly trailers: readonly (readonly [string, Uint8Array])[],
  ) {
    super(details);
  }

  /** The same for gRPC's own server. PERF: where another thread has the connections, this one loads no gRPC. */
  get metadata(): Metadata {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
    const grpc = require('@grpc/grpc-js') as typeof import('@grpc/grpc-js');
    const metadata = new grpc.Metadata();
    for (const [key, value] of this.trailers) metadata.add(key, Buffer.from(value));
    return metadata;
  }
}

function batchError(error: BatchError): RefusedCall {
  const code = RPC_CODE.UNKNOWN;
  const elements = elementDetails(error.outcomes);
  const text = error.message + unnamed(error.outcomes, elements.length);
  const details = cutEncoded(text, MESSAGE_BYTES_MAX);
  const message = new Status({ code, message: details, details: elements });
  return new RefusedCall(code, details, [[STATUS_DETAILS_KEY, message.serialize()]]);
}

/** Turns an exception of a handler into an RpcError; other exceptions become INTERNAL. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError('INTERNAL', error instanceof Error ? error.message : String(error));
}

/** One detail per element, in order, up to the last one that fits. */
function elementDetails({ first, refused }: Outcomes): Any[] {
  const limit = Math.max(REASON_MIN, Math.floor(REASONS_MAX / Math.min(refused, first.length)));
  const details: Any[] = [];
  let room = DETAILS_BYTES_MAX;
  for (const outcome of first) {
    const value = outcome === undefined ? new P4Error({}) : p4Error(outcome, limit);
    const detail = new Any({ typeUrl: P4_ERROR_TYPE_URL, value: value.serialize() });
    room -= detail.serialize().length + TAG_AND_LENGTH_BYTES;
    if (room < 0) break;
    details.push(detail);
  }
  return details;
}

/** Bytes before each detail in the message that contains them. */
const TAG_AND_LENGTH_BYTES = 4;

/** In words, what the details have no room for; nothing when they name all elements. */
function unnamed({ first, later, total, refused }: Outcomes, named: number): string {
  if (named === total) return '';
  const behind = first
    .map((error, index) => ({ index, error }))
    .filter((each): each is Refusal => each.index >= named && each.error !== undefined);
  const told = first.slice(0, named).filter((error) => error !== undefined).length;
  const shown = told > 0 ? [] : [...behind, ...later].slice(0, SHOWN_MAX);
  const reasons = shown.map(
    ({ index, error }) => `; ${index + 1}: ${cut(error.message, LATER_REASON_MAX)}`,
  );
  const more = refused - told - shown.length;
  return `; details of the first ${named}${reasons.join('')}${more > 0 ? `; and ${more} more refused` : ''}`;
}

/** Refusals in the message when the details hold none. */
const SHOWN_MAX = 5;

function p4Error({ code, message }: RpcError, limit: number): P4Error {
  return new P4Error({ canonicalCode: code, message: cut(message, limit), space: ERROR_SPACE });
}

/** Cuts a text to so many bytes of UTF-8, between characters. */
const cut = (text: string, limit: number): string =>
  cutBy(text, limit, (character) => Buffer.byteLength(character));

/** Cuts a text to so many bytes in the percent-encoding of gRPC. */
const cutEncoded = (text: string, limit: number): string =>
  cutBy(text, limit, (character) =>
    /[ -$&-~]/.test(character) ? 1 : 3 * Buffer.byteLength(character),
  );

/** Most bytes of a UTF-16 unit in either coding. */
const UNIT_BYTES_MAX = 9;

function cutBy(text: string, limit: number, bytesOf: (character: string) => number): string {
  // PERF: nearly all texts fit, and clients may ask for thousands of them.
  if (text.length * UNIT_BYTES_MAX <= limit) return text;
  let [bytes, end, fits] = [0, 0, 0];
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > limit) return `${text.slice(0, fits)}${ELLIPSIS}`;
    end += character.length;
    if (bytes <= limit - ELLIPSIS.length) fits = end;
  }
  return text;
}

const ELLIPSIS = '...';
