import { writeUint32 } from '../../../common/wire/bytes';
import { emitReth, RETH_LENGTH } from '../../../common/wire/roce/reth';

const WORD_MODULUS = 0x1_0000_0000;
const IMMEDIATE_LENGTH = 4;

/** What a request asks of the target's memory. */
export interface MemoryRequest {
  /** Virtual address, below 2^53. */
  readonly address: number;
  readonly remoteKey: number;
  readonly length: number;
}

/** The extended headers of a request: RETH, then immediate data, each where there is one. */
export function requestBody(
  memory: MemoryRequest | undefined,
  immediate: number | undefined,
): Uint8Array {
  const immediateAt = memory === undefined ? 0 : RETH_LENGTH;
  const body = new Uint8Array(immediateAt + (immediate === undefined ? 0 : IMMEDIATE_LENGTH));
  if (memory !== undefined) {
    const { address, remoteKey, length } = memory;
    const high = Math.floor(address / WORD_MODULUS);
    const virtualAddress = { high, low: address - high * WORD_MODULUS };
    emitReth({ virtualAddress, remoteKey, dmaLength: length }, body, 0);
  }
  if (immediate !== undefined) writeUint32(body, immediateAt, immediate);
  return body;
}
