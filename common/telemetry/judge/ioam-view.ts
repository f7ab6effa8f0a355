import { readUint16 } from '../../wire/bytes';
import { IPV6_OPTION_IOAM, IPV6_OPTION_IOAM_MUTABLE } from '../../wire/ioam/ioam-option';
import { IOAM_TRACE_HEADER_LENGTH } from '../../wire/ioam/ioam-trace';
import { ETHERNET_LENGTH, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';
import { IPV6_LENGTH, NEXT_HOP_BY_HOP } from '../../wire/ip/ipv6';
import { hex } from './packet-view';
import { traceHeaderOf } from './trace-header';
import type { TraceView } from './trace-clauses';

/** An IPv6 packet with a pre-allocated trace in its hop-by-hop options, as it stands in the frame. */
export interface IoamView extends TraceView {
  readonly addresses: string;
  /** Version, traffic class and flow label. */
  readonly firstWord: string;
  readonly payloadLength: number;
  /** Hop-by-hop header but for the trace. */
  readonly otherOptions: string;
  /** All behind the hop-by-hop header. */
  readonly payload: string;
  readonly optionType: number;
  readonly optionLength: number;
  readonly ioamType: number;
}

const OPTIONS_AT = ETHERNET_LENGTH + IPV6_LENGTH;
/** Type and length of an option, reserved byte and type of IOAM. */
const OPTION_HEAD = 4;
const TRACE_TYPES: readonly number[] = [IPV6_OPTION_IOAM, IPV6_OPTION_IOAM_MUTABLE];

/**
 * Reads a frame; undefined where it has no trace.
 * @param like the packet that it was before: the trace is where that has it, and as long, whatever its option says.
 */
export function viewIoam(bytes: Uint8Array, like = bytes): IoamView | undefined {
  const at = optionAt(like);
  if (at === undefined || bytes.length < at + OPTION_HEAD + IOAM_TRACE_HEADER_LENGTH)
    return undefined;
  const [optionType = 0, optionLength = 0, reserved = 0, ioamType = 0] = bytes.subarray(at);
  const traceAt = at + OPTION_HEAD;
  const end = at + 2 + (like[at + 1] as number);
  const behind = OPTIONS_AT + 8 + 8 * (bytes[OPTIONS_AT + 1] as number);
  return {
    addresses: hex(bytes.subarray(22, OPTIONS_AT)),
    firstWord: hex(bytes.subarray(14, 18)),
    payloadLength: readUint16(bytes, 18),
    hopLimit: bytes[21] as number,
    otherOptions: hex(bytes.subarray(OPTIONS_AT, at)) + hex(bytes.subarray(end, behind)),
    payload: hex(bytes.subarray(behind)),
    optionType,
    optionLength,
    ioamType,
    ...traceHeaderOf(bytes, traceAt, reserved),
    data: bytes.subarray(traceAt + IOAM_TRACE_HEADER_LENGTH, end),
  };
}

/** Place of the first trace option among the hop-by-hop options. */
function optionAt(bytes: Uint8Array): number | undefined {
  if (bytes.length < OPTIONS_AT + 8 || readUint16(bytes, 12) !== ETHERTYPE_IPV6) return undefined;
  if (bytes[20] !== NEXT_HOP_BY_HOP) return undefined;
  const end = Math.min(bytes.length, OPTIONS_AT + 8 + 8 * (bytes[OPTIONS_AT + 1] as number));
  for (let at = OPTIONS_AT + 2; at + 2 <= end;) {
    const type = bytes[at] as number;
    if (TRACE_TYPES.includes(type) && bytes[at + 3] === 0) return at;
    at += type === 0 ? 1 : 2 + (bytes[at + 1] as number);
  }
  return undefined;
}
