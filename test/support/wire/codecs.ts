import { FORMATS } from '../../../common/telemetry/decode/formats';
import { WireFault } from '../../../common/wire/fault';
import type { WireFormat } from '../../../common/wire/fixed-format';
import {
  HPCC_TRANSPORT_LENGTH,
  emitHpccTransport,
  parseHpccTransport,
} from '../../../common/wire/hpcc/hpcc-transport';
import { emitIfa1, ifa1Length, parseIfa1Header } from '../../../common/wire/ifa/ifa1';
import { emitHops, emitIntMdSource, parseIntMd, readHops } from '../../../common/wire/int/int-md';
import {
  INT_MD_HEADER_LENGTH,
  emitIntMdHeader,
  parseIntMdHeader,
} from '../../../common/wire/int/int-md-header';
import {
  emitIntPacket,
  intPacketLength,
  parseIntPacket,
} from '../../../common/wire/int/int-packet';
import { emitIoamNode, ioamNodeLength, parseIoamNode } from '../../../common/wire/ioam/ioam-node';
import {
  IPV6_OPTION_IOAM,
  IPV6_OPTION_IOAM_MUTABLE,
  emitIoamOption,
  ioamOptionLength,
  parseIoamOption,
} from '../../../common/wire/ioam/ioam-option';
import { emitIpv6Options, ipv6OptionsLength, parseIpv6Options } from '../../../common/wire/ip/ipv6';
import type { Ipv6OptionContent } from '../../../common/wire/ip/ipv6';
import { BTH_LENGTH, emitBth, parseBth } from '../../../common/wire/roce/bth';
import {
  AETH_LENGTH,
  RETH_LENGTH,
  emitAeth,
  emitReth,
  parseAeth,
  parseReth,
} from '../../../common/wire/roce/extended-headers';
import {
  TELEMETRY_REQUEST_LENGTH,
  TELEMETRY_RESPONSE_LENGTH,
  emitTelemetryRequest,
  emitTelemetryResponse,
  parseTelemetryRequest,
  parseTelemetryResponse,
} from '../../../common/wire/roce/telemetry-messages';
import {
  AUTH_TRAILER_LENGTH,
  emitAuthTrailer,
  parseAuthTrailer,
} from '../../../common/wire/security/message-mac';

const isIoam = (type: number): boolean =>
  type === IPV6_OPTION_IOAM || type === IPV6_OPTION_IOAM_MUTABLE;

/** A whole options header whose IOAM options are parsed and written too. */
const ioamOptions: AnyCodec = {
  parse: parseIpv6Options,
  roundTrip(bytes, offset, end) {
    const header = parseIpv6Options(bytes, offset, end);
    if (header instanceof WireFault) return header;
    const options: Ipv6OptionContent[] = [];
    for (const { type, dataOffset, data } of header.options) {
      const written = isIoam(type) ? again(bytes, dataOffset, dataOffset + data.length) : data;
      if (written instanceof WireFault) return written;
      options.push({ type, data: written });
    }
    const out = new Uint8Array(ipv6OptionsLength({ options }));
    emitIpv6Options({ nextHeader: header.nextHeader, options }, out, 0);
    return out;
  },
};

function again(bytes: Uint8Array, offset: number, end: number): Uint8Array | WireFault {
  const option = parseIoamOption(bytes, offset, end);
  if (option instanceof WireFault) return option;
  const out = new Uint8Array(ioamOptionLength(option)).fill(0xa5);
  emitIoamOption(option, out, 0);
  return out;
}

/** The trio that every format has, with the value's type hidden. */
export interface AnyCodec {
  parse(bytes: Uint8Array, offset: number, end: number): object;
  /** Parses, and writes what was parsed into new bytes; a fault if it cannot be parsed. */
  roundTrip(bytes: Uint8Array, offset: number, end: number): Uint8Array | WireFault;
}

interface Trio<T extends object> {
  readonly parse: (bytes: Uint8Array, offset: number, end: number) => T | WireFault;
  readonly emit: (value: T, bytes: Uint8Array, offset: number) => void;
  readonly length: number | ((value: T) => number);
}

export function anyCodec<T extends object>({ parse, emit, length }: Trio<T>): AnyCodec {
  return {
    parse,
    roundTrip(bytes, offset, end) {
      const value = parse(bytes, offset, end);
      if (value instanceof WireFault) return value;
      const out = new Uint8Array(typeof length === 'number' ? length : length(value));
      // Bytes that were in the buffer before must not show through.
      out.fill(0xa5);
      emit(value, out, 0);
      return out;
    },
  };
}

/** `parse` of a node's data, whose trace type is in the option's header. */
const ioamNode = (traceType: number): AnyCodec =>
  anyCodec({
    parse: (bytes, offset, end) => parseIoamNode(bytes, offset, end, traceType),
    emit: (node, bytes, offset) => emitIoamNode(node, bytes, offset, traceType),
    length: (node) => ioamNodeLength(traceType, node),
  });

const intPacket = (sourceOnlyLength: number): AnyCodec =>
  anyCodec({
    parse: (bytes, offset, end) => parseIntPacket(bytes, offset, end, { sourceOnlyLength }),
    emit: emitIntPacket,
    length: intPacketLength,
  });

/** The formats that users of the library have. */
function published(): Readonly<Record<keyof typeof FORMATS, AnyCodec>> {
  const all = Object.entries(FORMATS as unknown as Record<string, WireFormat<object>>);
  const codecs = all.map(([name, format]) => {
    const trio: Trio<object> = {
      parse: (bytes, offset, end) => format.parse(bytes, offset, end),
      emit: (header, bytes, offset) => format.emit(header, bytes, offset),
      length: (header) => format.length(header),
    };
    return [name, anyCodec(trio)];
  });
  return Object.fromEntries(codecs) as Record<keyof typeof FORMATS, AnyCodec>;
}

/** The path of the sender: one domain, hop records instead of blocks. */
const intHpDomain = anyCodec({
  parse: (bytes, offset, end) => {
    const held = bytes.subarray(0, end);
    const int = parseIntMd(held, offset);
    if (int instanceof WireFault) return int;
    return { int, hops: readHops(int, held, offset), dscp: 0 };
  },
  emit: ({ int, hops }, bytes, offset) => {
    emitIntMdSource({ remainingHops: int.remainingHops, originalDscp: 0 }, bytes, offset);
    emitHops(hops, bytes, offset);
  },
  length: ({ int }) => int.length,
});

export const CODECS = {
  ...published(),
  aeth: anyCodec({ parse: parseAeth, emit: emitAeth, length: AETH_LENGTH }),
  'auth-trailer': anyCodec({
    parse: parseAuthTrailer,
    emit: emitAuthTrailer,
    length: AUTH_TRAILER_LENGTH,
  }),
  bth: anyCodec({ parse: parseBth, emit: emitBth, length: BTH_LENGTH }),
  'hpcc-transport': anyCodec({
    parse: parseHpccTransport,
    emit: emitHpccTransport,
    length: HPCC_TRANSPORT_LENGTH,
  }),
  'ifa1-header': anyCodec({ parse: parseIfa1Header, emit: emitIfa1, length: ifa1Length }),
  'int-hp-domain': intHpDomain,
  'int-md-header': anyCodec({
    parse: parseIntMdHeader,
    emit: emitIntMdHeader,
    length: INT_MD_HEADER_LENGTH,
  }),
  'int-packet-source-only-8': intPacket(8),
  'ioam-node-820000': ioamNode(0x820000),
  'ioam-node-d20800': ioamNode(0xd20800),
  'ioam-node-ffffff': ioamNode(0xffffff),
  'ioam-options': ioamOptions,
  reth: anyCodec({ parse: parseReth, emit: emitReth, length: RETH_LENGTH }),
  'telemetry-request': anyCodec({
    parse: parseTelemetryRequest,
    emit: emitTelemetryRequest,
    length: TELEMETRY_REQUEST_LENGTH,
  }),
  'telemetry-response': anyCodec({
    parse: parseTelemetryResponse,
    emit: emitTelemetryResponse,
    length: TELEMETRY_RESPONSE_LENGTH,
  }),
} as const satisfies Readonly<Record<string, AnyCodec>>;

export type CodecName = keyof typeof CODECS;
