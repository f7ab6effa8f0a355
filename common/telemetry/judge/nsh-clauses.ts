import { readUint16 } from '../../wire/bytes';
import { WireFault } from '../../wire/fault';
import { IOAM_TRACE_HEADER_LENGTH } from '../../wire/ioam/ioam-trace';
import { ETHERNET_LENGTH } from '../../wire/ip/ethernet';
import { ETHERTYPE_NSH, NSH_IOAM_HEAD, nshLength, parseNsh, NSH_NEXT } from '../../wire/ip/nsh';
import { equal } from './clause';
import type { ClauseOf } from './clause';
import { hex } from './packet-view';
import { TRACE_CLAUSES, unchanged } from './trace-clauses';
import type { TraceForm, TracePassage, TraceView } from './trace-clauses';
import { traceHeaderOf } from './trace-header';

/** A frame with an incremental trace behind NSH, as it stands there; the hop limit is the TTL of NSH. */
export interface NshView extends TraceView {
  /** Version, O, the unassigned bits. */
  readonly flags: readonly number[];
  readonly nshWords: number;
  /** MD type and next protocol of NSH. */
  readonly types: readonly number[];
  /** Service path identifier and service index. */
  readonly path: string;
  readonly context: string;
  /** Other options of IOAM before the trace. */
  readonly otherOptions: string;
  readonly ioamType: number;
  readonly headWords: number;
  readonly nextProtocol: number;
  /** Bytes of the frame. */
  readonly length: number;
  /** All behind the trace. */
  readonly payload: string;
}

const INCREMENTAL = 1;
const HEAD = NSH_IOAM_HEAD.size;

/** Place of NSH's context, of the head of the first incremental trace, and of what lies behind that. */
function placesIn(bytes: Uint8Array) {
  if (bytes.length < ETHERNET_LENGTH || readUint16(bytes, 12) !== ETHERTYPE_NSH) return undefined;
  const nsh = parseNsh(bytes, ETHERNET_LENGTH);
  if (nsh instanceof WireFault) return undefined;
  const optionsAt = ETHERNET_LENGTH + nshLength(nsh);
  let next = nsh.nextProtocol;
  for (let at = optionsAt; next === NSH_NEXT.ioam;) {
    const head = NSH_IOAM_HEAD.parse(bytes, at);
    if (head instanceof WireFault || head.words === 0) return undefined;
    const end = at + 4 * head.words;
    if (head.type === INCREMENTAL && end >= at + HEAD + IOAM_TRACE_HEADER_LENGTH)
      return { optionsAt, headAt: at, end };
    at = end;
    next = head.nextProtocol;
  }
  return undefined;
}

/**
 * Reads a frame; undefined where it has no incremental trace.
 * @param like the frame that it was before: the trace is where that has it, and as much longer as the frame is.
 */
export function viewNsh(bytes: Uint8Array, like = bytes): NshView | undefined {
  const places = placesIn(like);
  if (places === undefined) return undefined;
  const { optionsAt, headAt } = places;
  const traceAt = headAt + HEAD;
  const dataAt = traceAt + IOAM_TRACE_HEADER_LENGTH;
  const end = places.end + bytes.length - like.length;
  if (bytes.length < dataAt || end < dataAt) return undefined;
  const [first = 0, second = 0, third = 0, next = 0] = bytes.subarray(ETHERNET_LENGTH);
  const [ioamType = 0, headWords = 0, reserved = 0, nextProtocol = 0] = bytes.subarray(headAt);
  return {
    hopLimit: ((first & 0xf) << 2) | (second >>> 6),
    flags: [first >>> 4, third >>> 4],
    nshWords: second & 0x3f,
    types: [third & 0xf, next],
    path: hex(bytes.subarray(ETHERNET_LENGTH + 4, ETHERNET_LENGTH + 8)),
    context: hex(bytes.subarray(ETHERNET_LENGTH + 8, optionsAt)),
    otherOptions: hex(bytes.subarray(optionsAt, headAt)),
    ioamType,
    headWords,
    nextProtocol,
    ...traceHeaderOf(bytes, traceAt, reserved),
    data: bytes.subarray(dataAt, end),
    length: bytes.length,
    payload: hex(bytes.subarray(end)),
  };
}

const NSH = 'RFC 8300, 2.2';
const PATH = 'RFC 8300, 2.3';
const CARRIER = 'RFC 9452, 3';
const TRACE = 'RFC 9197, 4.4';
const TTL_MODULUS = 64;

const lastOf = (data: Uint8Array, length: number): Uint8Array =>
  data.subarray(Math.max(0, data.length - length));

/** Clauses for transit nodes of the incremental trace behind NSH. */
export const NSH_CLAUSES: readonly ClauseOf<TracePassage<NshView>>[] = [
  {
    name: 'nsh-ttl-decremented',
    section: NSH,
    check: ({ sent, returned }) =>
      equal('TTL', (sent.hopLimit + TTL_MODULUS - 1) % TTL_MODULUS, returned.hopLimit),
  },
  unchanged('nsh-flags', NSH, ({ flags }) => flags),
  unchanged('nsh-types', NSH, ({ types }) => types),
  unchanged('nsh-path', PATH, ({ path }) => path),
  unchanged('nsh-context', NSH, ({ context }) => context),
  unchanged('nsh-length', CARRIER, ({ nshWords }) => nshWords),
  unchanged('nsh-other-options', CARRIER, ({ otherOptions }) => otherOptions),
  unchanged('nsh-ioam-type', CARRIER, ({ ioamType }) => ioamType),
  unchanged('nsh-next-protocol', CARRIER, ({ nextProtocol }) => nextProtocol),
  unchanged('nsh-payload', CARRIER, ({ payload }) => payload),
  {
    name: 'nsh-head-length-right',
    section: CARRIER,
    check: ({ sent, returned, pushed, isKnown }) =>
      isKnown ? equal('words', sent.headWords + pushed, returned.headWords) : undefined,
  },
  {
    name: 'nsh-node-data-added',
    section: TRACE,
    check: ({ sent, returned, pushed, isKnown }) =>
      isKnown ? equal('bytes', 4 * pushed, returned.length - sent.length) : undefined,
  },
  {
    name: 'nsh-earlier-nodes-unchanged',
    section: TRACE,
    check: ({ sent, returned, isKnown }) =>
      isKnown
        ? equal('nodes', hex(sent.data), hex(lastOf(returned.data, sent.data.length)))
        : undefined,
  },
  ...TRACE_CLAUSES,
];

/** Incremental traces behind NSH: nodes put their data in front of those that are there. */
export const NSH_FORM: TraceForm<NshView> = {
  what: 'incremental trace',
  view: viewNsh,
  clauses: NSH_CLAUSES,
  found: (sent, returned) => (returned.length - sent.length) / 4,
  nodeAt: () => 0,
};
