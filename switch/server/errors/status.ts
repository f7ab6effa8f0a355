import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { RpcError, STATUS_DETAILS_KEY, P4_ERROR_TYPE_URL } from '../../../common/p4runtime/codes';
import { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import { Status } from '../../../common/p4runtime/generated/google/rpc/status';
import { Error as P4Error } from '../../../common/p4runtime/generated/p4/v1/p4runtime';

/** Where the numeric codes of our errors would come from, if they had any. */
export const ERROR_SPACE = 'hpcc-switch';

/**
 * Characters that all reasons of a batch may take together. HTTP/2 clients accept about 64 KB of
 * trailers, and a status that exceeds it arrives as RESOURCE_EXHAUSTED without any reason.
 */
const REASONS_MAX = 24_000;
const REASON_MIN = 40;

/** A batch of which some elements were refused: one outcome per element, in order. */
export class BatchError extends Error {
  override readonly name = 'BatchError';
  constructor(
    readonly what: 'write' | 'read',
    readonly outcomes: readonly (RpcError | undefined)[],
  ) {
    const refused = outcomes.filter((each) => each !== undefined).length;
    super(`${what}: ${refused} of ${outcomes.length} refused`);
  }
}

/** Runs a handler; what it throws becomes the status of the call. */
export function respond<Response>(
  handler: () => Response,
  callback: (error: ServiceError | null, response?: Response) => void,
): void {
  let response: Response;
  try {
    response = handler();
  } catch (error) {
    callback(serviceError(error));
    return;
  }
  callback(null, response);
}

/**
 * The status of a refused call (P4Runtime 1.5.0, chapter "Error Reporting Messages"). A batch gets
 * UNKNOWN and one p4.v1.Error per element, in the trailer that gRPC has for details.
 */
export function serviceError(error: unknown): ServiceError {
  const { message, codeName } =
    error instanceof BatchError ? new RpcError('UNKNOWN', error.message) : asRpcError(error);
  const code = status[codeName];
  const metadata = new Metadata();
  if (error instanceof BatchError) metadata.set(STATUS_DETAILS_KEY, details(error, code));
  return Object.assign(new Error(message), { code, details: message, metadata });
}

/** What a handler threw, as a refusal; all but refusals are faults of this server. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError('INTERNAL', error instanceof Error ? error.message : String(error));
}

function details(error: BatchError, code: number): Buffer {
  const refused = error.outcomes.filter((each) => each !== undefined).length;
  const limit = Math.max(REASON_MIN, Math.floor(REASONS_MAX / refused));
  const outcomes = error.outcomes.map((outcome) => {
    const value = outcome === undefined ? new P4Error({}) : p4Error(outcome, limit);
    return new Any({ typeUrl: P4_ERROR_TYPE_URL, value: value.serialize() });
  });
  return Buffer.from(new Status({ code, message: error.message, details: outcomes }).serialize());
}

function p4Error({ code, message }: RpcError, limit: number): P4Error {
  const reason = message.length <= limit ? message : `${message.slice(0, limit - 1)}…`;
  return new P4Error({ canonicalCode: code, message: reason, space: ERROR_SPACE });
}
