import { Status } from './generated/google/rpc/status';
import { Error as P4Error } from './generated/p4/v1/p4runtime';

/**
 * Status codes of gRPC and of google.rpc.Status, by name. P4Runtime calls them canonical codes
 * (P4Runtime 1.5.0, chapter "Error Reporting Messages").
 */
export const RPC_CODE = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type RpcCodeName = keyof typeof RPC_CODE;
export type RpcCode = (typeof RPC_CODE)[RpcCodeName];

/** The name of a code, or `code <n>` for a number that gRPC does not define. */
export function codeName(code: number): string {
  for (const [name, value] of Object.entries(RPC_CODE)) {
    if (value === code) return name;
  }
  return `code ${code}`;
}

/** Why a P4Runtime server refuses a call, or one update of a batch. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly codeName: RpcCodeName,
    message: string,
  ) {
    super(message);
  }

  get code(): RpcCode {
    return RPC_CODE[this.codeName];
  }
}

/** The trailer that carries google.rpc.Status. */
export const STATUS_DETAILS_KEY = 'grpc-status-details-bin';

/** Name of p4.v1.Error in google.protobuf.Any. */
export const P4_ERROR_TYPE_URL = 'type.googleapis.com/p4.v1.Error';

/** The outcome of one element of a batch. */
export interface ElementStatus {
  readonly code: number;
  readonly message: string;
}

/**
 * Reads the outcomes of a batch from the trailer's bytes, in order. Undefined means that the server
 * sent none: then the whole call was refused before any element was attempted.
 */
export function decodeStatusDetails(
  trailer: Uint8Array | undefined,
): readonly ElementStatus[] | undefined {
  if (trailer === undefined) return undefined;
  const { details } = Status.deserialize(Uint8Array.from(trailer));
  if (details.length === 0) return undefined;
  return details.map(({ typeUrl, value }) => {
    if (!typeUrl.endsWith('/p4.v1.Error')) {
      return { code: RPC_CODE.UNKNOWN, message: `a detail of the unknown type ${typeUrl}` };
    }
    const { canonicalCode, message } = P4Error.deserialize(value);
    return { code: canonicalCode, message };
  });
}
