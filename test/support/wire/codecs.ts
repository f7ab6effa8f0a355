import { FORMATS } from '../../../common/telemetry/decode/formats';
import type { WireFormat } from '../../../common/wire/fixed-format';
import { AETH_LENGTH, emitAeth, parseAeth } from '../../../common/wire/roce/extended-headers';
import { RETH_LENGTH, emitReth, parseReth } from '../../../common/wire/roce/extended-headers';
import { AUTH_TRAILER_LENGTH, emitAuthTrailer } from '../../../common/wire/security/message-mac';
import { parseAuthTrailer } from '../../../common/wire/security/message-mac';
import { BTH_LENGTH, emitBth, parseBth } from '../../../common/wire/roce/bth';
import { WireFault } from '../../../common/wire/fault';
import { HPCC_TRANSPORT_LENGTH, emitHpccTransport } from '../../../common/wire/hpcc/hpcc-transport';
import { parseHpccTransport } from '../../../common/wire/hpcc/hpcc-transport';
import { emitIfa1, ifa1Length, parseIfa1Header } from '../../../common/wire/ifa/ifa1';
import { emitHops, emitIntMdSource, parseIntMd, readHops } from '../../../common/wire/int/int-md';
import { INT_MD_HEADER_LENGTH, emitIntMdHeader } from '../../../common/wire/int/int-md-header';
import { parseIntMdHeader } from '../../../common/wire/int/int-md-header';
import { emitIntPacket, intPacketLength } from '../../../common/wire/int/int-packet';
import { parseIntPacket } from '../../../common/wire/int/int-packet';
import { emitIoamNode, ioamNodeLength, parseIoamNode } from '../../../common/wire/ioam/ioam-node';
import { TELEMETRY_REQUEST_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import { emitTelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { parseTelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { TELEMETRY_RESPONSE_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import { emitTelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { parseTelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { ioamOptions } from './ioam-options';

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
      // What was in the buffer before must not show through.
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
