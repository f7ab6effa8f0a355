import { readUint16, readUint24, writeUint16, writeUint24 } from '../bytes';
import { WireFault, truncated } from '../fault';
import {
  emitIoamNode,
  hasSnapshot,
  ioamNodeLength,
  ioamNodeWords,
  parseIoamNode,
} from './ioam-node';
import type { IoamNode } from './ioam-node';

/**
 * IOAM trace options, pre-allocated and incremental (RFC 9197 section 4.4).
 *
 *     | namespace 16 | node words 5, O 1, L 1, A 1, r 1, remaining words 7 |
 *     | trace type 24 | r 8 |
 *     | pre-allocated: free space, `remaining` words | newest node | ... | oldest node |
 *
 * An incremental option has no free space: `remaining` is what may still be added.
 */
export const IOAM_TRACE_HEADER_LENGTH = 8;

const NAME = 'ioam-trace';

/** A trace option: what the nodes of the path wrote. */
export interface IoamTrace {
  readonly namespaceId: number;
  /** O: some node did not have enough room. */
  readonly overflow: boolean;
  /** L: nodes return copies to the source. */
  readonly loopback: boolean;
  /** A: the packet is a probe. */
  readonly active: boolean;
  readonly remainingWords: number;
  readonly traceType: number;
  /** Newest first, as on the wire. */
  readonly nodes: readonly IoamNode[];
  readonly isIncremental: boolean;
}

/**
 * Reads the option that fills the bytes from `offset` to `end`. Refuses a NodeLen that its type does
 * not have, free space that is not there, and nodes that do not fill the rest.
 */
export function parseIoamTrace(
  bytes: Uint8Array,
  offset: number,
  end: number,
  isIncremental = false,
): IoamTrace | WireFault {
  if (end < offset + IOAM_TRACE_HEADER_LENGTH) {
    return truncated(NAME, offset, IOAM_TRACE_HEADER_LENGTH, end);
  }
  const lengths = readUint16(bytes, offset + 2);
  const traceType = readUint24(bytes, offset + 4);
  const remainingWords = lengths & 0x7f;
  const wanted = ioamNodeWords(traceType);
  if (lengths >>> 11 !== wanted) {
    const reason = `node length must be ${wanted} words for its type, found ${lengths >>> 11}`;
    return new WireFault(NAME, offset + 2, reason);
  }
  const dataAt = offset + IOAM_TRACE_HEADER_LENGTH;
  const nodesAt = isIncremental ? dataAt : dataAt + 4 * remainingWords;
  if (end < nodesAt) return truncated(NAME, dataAt, nodesAt - dataAt, end);
  const nodes = parseNodes(bytes, nodesAt, end, traceType);
  if (nodes instanceof WireFault) return nodes;
  return {
    namespaceId: readUint16(bytes, offset),
    overflow: (lengths & 0x400) !== 0,
    loopback: (lengths & 0x200) !== 0,
    active: (lengths & 0x100) !== 0,
    remainingWords,
    traceType,
    nodes,
    isIncremental,
  };
}

function parseNodes(
  bytes: Uint8Array,
  start: number,
  end: number,
  traceType: number,
): IoamNode[] | WireFault {
  if (start < end && ioamNodeWords(traceType) === 0 && !hasSnapshot(traceType)) {
    return new WireFault(NAME, start, `type 0 has no node data, found ${end - start} bytes`);
  }
  const nodes: IoamNode[] = [];
  let at = start;
  while (at < end) {
    const node = parseIoamNode(bytes, at, end, traceType);
    if (node instanceof WireFault) return node;
    nodes.push(node);
    at += ioamNodeLength(traceType, node);
  }
  return nodes;
}

export function ioamTraceLength(trace: IoamTrace): number {
  const free = trace.isIncremental ? 0 : 4 * trace.remainingWords;
  const { traceType } = trace;
  return trace.nodes.reduce(
    (sum, node) => sum + ioamNodeLength(traceType, node),
    IOAM_TRACE_HEADER_LENGTH + free,
  );
}

export function emitIoamTrace(trace: IoamTrace, bytes: Uint8Array, offset: number): void {
  const { traceType, remainingWords } = trace;
  const flags =
    (trace.overflow ? 0x400 : 0) | (trace.loopback ? 0x200 : 0) | (trace.active ? 0x100 : 0);
  writeUint16(bytes, offset, trace.namespaceId);
  writeUint16(bytes, offset + 2, (ioamNodeWords(traceType) << 11) | flags | remainingWords);
  writeUint24(bytes, offset + 4, traceType);
  bytes[offset + 7] = 0;
  let at = offset + IOAM_TRACE_HEADER_LENGTH;
  if (!trace.isIncremental) {
    bytes.fill(0, at, at + 4 * remainingWords);
    at += 4 * remainingWords;
  }
  for (const node of trace.nodes) {
    emitIoamNode(node, bytes, at, traceType);
    at += ioamNodeLength(traceType, node);
  }
}
