import { readUint16, readUint24 } from '../../wire/bytes';
import type { TraceView } from './trace-clauses';

/** Fields of a trace's header, as they stand in the frame. @param reserved the byte that the option has. */
export function traceHeaderOf(
  bytes: Uint8Array,
  at: number,
  reserved: number,
): Omit<TraceView, 'hopLimit' | 'data'> {
  const lengths = readUint16(bytes, at + 2);
  return {
    reserved: [reserved, bytes[at + 7] as number, lengths & 0x80],
    namespaceId: readUint16(bytes, at),
    nodeWords: lengths >>> 11,
    overflow: (lengths & 0x400) !== 0,
    otherFlags: (lengths >>> 8) & 3,
    remainingWords: lengths & 0x7f,
    traceType: readUint24(bytes, at + 4),
  };
}
