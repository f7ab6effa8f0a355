import { Status } from './generated/google/rpc/status';
import { Error as P4Error } from './generated/p4/v1/p4runtime';
import { RPC_CODE } from './rpc-code';
import type { RpcCode, RpcCodeName } from './rpc-code';

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
