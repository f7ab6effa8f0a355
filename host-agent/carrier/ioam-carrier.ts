import { assert } from '../../common/assert';
import type { HopUnits } from '../../common/hop/hop-units';
import { ioamHops } from '../../common/telemetry/ioam-hops';
import { WireFault } from '../../common/wire/fault';
import {
  emitIoamOption,
  IPV6_OPTION_IOAM_MUTABLE,
  ioamOptionLength,
  parseIoamOption,
} from '../../common/wire/ioam/ioam-option';
import {
  emitIoamTrace,
  IOAM_TRACE_HEADER_LENGTH,
  ioamTraceLength,
  parseIoamTrace,
} from '../../common/wire/ioam/ioam-trace';
import type { IoamTrace } from '../../common/wire/ioam/ioam-trace';
import { PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import {
  emitIpv6Options,
  ipv6OptionsLength,
  NEXT_HOP_BY_HOP,
  padIpv6Options,
  parseIpv6Options,
} from '../../common/wire/ip/ipv6';
import type { Bytes } from '../../common/units/units';
import type { Carrier, FoundHeaders, TelemetryReader } from './carrier';
import { sampleOf } from './hop-samples';
import { IPV6_LAYER } from './network-layer';

/** The namespace in which nodes tell the time of departure, and bytes sent in bit 12. */
export const IOAM_NAMESPACE = 0x4850;
/** Node, interfaces, fraction of the second, queue depth, bytes sent (draft-miao-tsv-hpcc-info). */
const TRACE_TYPE = 0xd20800;
const NODE_WORDS = 5;
const NODE_LENGTH = 4 * NODE_WORDS;
/** Most nodes that the 8-bit length of an option has room for. */
export const IOAM_HOPS_MAX = Math.floor((255 - 2 - IOAM_TRACE_HEADER_LENGTH) / NODE_LENGTH);

/**
 * A pre-allocated trace of IOAM (RFC 9197) in the hop-by-hop options of IPv6 (RFC 9486), which the host
 * itself writes as encapsulating node. Its packets are as long as the longest path needs, from the start.
 */
export function ioamCarrier(units: HopUnits, hops: number): Carrier {
  const reader: TelemetryReader = {
    read(bytes, at, length) {
      const trace = parseIoamTrace(bytes, at, at + length);
      if (trace instanceof WireFault || trace.traceType !== TRACE_TYPE) return undefined;
      return sampleOf(ioamHops(trace, units), trace.overflow);
    },
  };
  const length = ipv6OptionsLength({ options: optionsFor(hops) });
  return {
    name: 'ioam',
    network: IPV6_LAYER,
    networkHeaders: {
      protocol: NEXT_HOP_BY_HOP,
      length,
      emit: (_, bytes, at) =>
        emitIpv6Options({ nextHeader: PROTOCOL_UDP, options: optionsFor(hops) }, bytes, at),
      find: findTrace,
    },
    dscp: undefined,
    losesClass: false,
    headerLength: length,
    hopLength: 0,
    hopsMax: IOAM_HOPS_MAX,
    shows: 'named-links',
    questions: 1,
    echoLength: { fixed: IOAM_TRACE_HEADER_LENGTH, hop: NODE_LENGTH },
    newReader: () => reader,
    shorten: withoutRoom,
  };
}

/** The options of a packet on which `hops` nodes may leave their data. */
function optionsFor(hops: number) {
  const trace: IoamTrace = {
    namespaceId: IOAM_NAMESPACE,
    overflow: false,
    loopback: false,
    active: false,
    isIncremental: false,
    nodes: [],
    remainingWords: hops * NODE_WORDS,
    traceType: TRACE_TYPE,
  };
  const option = { kind: 'trace', trace } as const;
  const data = new Uint8Array(ioamOptionLength(option));
  emitIoamOption(option, data, 0);
  return padIpv6Options([{ type: IPV6_OPTION_IOAM_MUTABLE, data }]);
}

/** Other options, and traces of other kinds, are passed over. */
function findTrace(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault {
  const header = parseIpv6Options(bytes, at, Math.min(end, bytes.length));
  if (header instanceof WireFault) return header;
  if (header.nextHeader !== PROTOCOL_UDP) {
    return new WireFault('ipv6-options', at, `UDP must follow, found ${header.nextHeader}`);
  }
  const skip = header.length;
  const none = { skip, telemetryAt: at, telemetryLength: 0 };
  const option = header.options.find(({ type }) => type === IPV6_OPTION_IOAM_MUTABLE);
  if (option === undefined) return none;
  const { dataOffset, data } = option;
  const found = parseIoamOption(bytes, dataOffset, dataOffset + data.length);
  if (found instanceof WireFault) return { ...none, fault: found };
  if (found.kind !== 'trace' || found.trace.isIncremental) return none;
  return { skip, telemetryAt: dataOffset + 2, telemetryLength: data.length - 2 };
}

/** The trace without the words that nobody has filled. */
function withoutRoom(bytes: Uint8Array, at: number, length: Bytes): Uint8Array {
  const trace = parseIoamTrace(bytes, at, at + length);
  assert(!(trace instanceof WireFault), 'only what was read without a fault goes back');
  const filled = { ...trace, remainingWords: 0 };
  const short = new Uint8Array(ioamTraceLength(filled));
  emitIoamTrace(filled, short, 0);
  return short;
}
