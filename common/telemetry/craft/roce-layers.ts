import { truncated, WireFault } from '../../wire/fault';
import { parseHpccPadding, hpccPaddingLength } from '../../wire/hpcc/hpcc-padding';
import { parseIntHead } from '../../wire/int/int-packet';
import {
  AETH_LENGTH,
  RETH_LENGTH,
  emitAeth,
  emitReth,
  parseAeth,
  parseReth,
} from '../../wire/roce/extended-headers';
import type { Aeth, Reth } from '../../wire/roce/extended-headers';
import {
  BTH_ACKNOWLEDGE,
  BTH_CNP,
  BTH_LENGTH,
  BTH_TELEMETRY_REQUEST,
  BTH_TELEMETRY_RESPONSE,
} from '../../wire/roce/bth';
import { emitBth, parseBth } from '../../wire/roce/bth';
import type { Bth } from '../../wire/roce/bth';
import { COMPACT_RESPONSE } from '../../wire/roce/cnp';
import { ICRC_LENGTH, computeIcrc, emitIcrc, readIcrc } from '../../wire/roce/icrc';
import { RESPONSE_FLAG_WINDOW } from '../../wire/roce/telemetry-messages';
import {
  AUTHENTICATION,
  ROCE_REQUEST,
  ROCE_RESPONSE,
  WINDOW_RECORD,
} from '../../wire/transport-layouts';
import { readUint16, writeUint16 } from '../../wire/bytes';
import { codecKind, fixedKind, layoutKind } from './layer';
import type { Laid, LayerKind, Reading } from './layer';
import { intShimKind } from './next-kind';
import { flag, oneOf, uint, word, wordHalves, wordValue } from './values';

const CNP_BODY_LENGTH = 16;
/** Opcodes of what no switch cuts. */
const ANSWERS: ReadonlySet<number> = new Set([
  BTH_ACKNOWLEDGE,
  BTH_CNP,
  BTH_TELEMETRY_REQUEST,
  BTH_TELEMETRY_RESPONSE,
]);
const RETH_OPCODES: ReadonlySet<number> = new Set([0x06, 0x0a, 0x0b, 0x0c, 0x26, 0x2a, 0x2b]);

const BTH = codecKind(
  'bth',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseBth(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitBth(header as Bth, bytes, offset),
    length: () => BTH_LENGTH,
  },
  {
    opcode: uint(8),
    solicited: flag,
    migration: flag,
    padCount: uint(2),
    partitionKey: uint(16),
    fecn: flag,
    becn: flag,
    destinationQp: uint(24),
    ackRequest: flag,
    psn: uint(24),
    windowEpoch: uint(4),
  },
  {
    text: 'base transport header of RoCEv2; a layer icrc ends the packet',
    defaults: { opcode: 4, partitionKey: 0xffff },
    next: (fields, reading, length) =>
      behindBth(fields as unknown as Bth, reading, reading.at + length),
  },
);

/** Plans the ICRC, and what lies behind messages. */
function behindBth(
  { opcode, padCount, becn }: Bth,
  reading: Reading,
  at: number,
): string | undefined {
  const { bytes, end, notes } = reading;
  if (notes.isTrimmed && !ANSWERS.has(opcode)) {
    // The ICRC went with the payload, and no length of the message is left.
    notes.cutBytes = undefined;
    return RETH_OPCODES.has(opcode) ? 'reth' : undefined;
  }
  const icrcAt = end - ICRC_LENGTH;
  if (icrcAt < at) return undefined;
  notes.plan.set(icrcAt, 'icrc');
  const bodyEnd = icrcAt - padCount;
  switch (opcode) {
    case BTH_ACKNOWLEDGE:
      planRest(reading, at + AETH_LENGTH, bodyEnd);
      return 'aeth';
    case BTH_CNP: {
      const body = bytes.subarray(at, Math.min(icrcAt, at + CNP_BODY_LENGTH));
      const isPlain = becn || body.length < CNP_BODY_LENGTH || body.every((byte) => byte === 0);
      return isPlain ? undefined : 'compact-response';
    }
    case BTH_TELEMETRY_REQUEST:
      planRest(reading, at + ROCE_REQUEST.size, bodyEnd);
      return 'roce-request';
    case BTH_TELEMETRY_RESPONSE:
      planResponse(reading, at, bodyEnd);
      return 'roce-response';
    default:
      return RETH_OPCODES.has(opcode) ? 'reth' : undefined;
  }
}

const RESPONSE_FLAGS_AT = ROCE_RESPONSE.at('responseFlags');

function planResponse(reading: Reading, at: number, bodyEnd: number): void {
  const { bytes, notes } = reading;
  const restAt = at + ROCE_RESPONSE.size;
  const hasWindow = ((bytes[at + RESPONSE_FLAGS_AT] ?? 0) & RESPONSE_FLAG_WINDOW) !== 0;
  const isWindow = hasWindow && bodyEnd >= restAt + WINDOW_RECORD.size;
  if (isWindow) notes.plan.set(restAt, 'window');
  planRest(reading, isWindow ? restAt + WINDOW_RECORD.size : restAt, bodyEnd);
}

/** Telemetry behind a message, and the authentication that ends it. */
export function planRest({ bytes, notes }: Reading, at: number, end: number): void {
  if (at >= end) return;
  const kind = echoKind(bytes, at, end);
  const behind = kind?.end ?? at;
  if (kind !== undefined) notes.plan.set(at, kind.kind);
  else notes.plan.set(at, 'payload');
  if (end - behind === AUTHENTICATION.size) notes.plan.set(behind, 'auth');
  else if (behind < end) notes.plan.set(behind, 'payload');
  if (kind !== undefined && behind === end) notes.plan.set(end, notes.plan.get(end) ?? 'payload');
}

/** Kind of telemetry that feedback brings back, and where it ends. */
export function echoKind(
  bytes: Uint8Array,
  at: number,
  end: number,
): { readonly kind: string; readonly end: number } | undefined {
  const head = parseIntHead(bytes, at, end);
  if (!(head instanceof WireFault)) {
    const reading = { bytes, end } as Reading;
    const words =
      head.kind === 'int-v0.5'
        ? head.header.words
        : head.kind === 'int-v1'
          ? head.shim.words
          : head.shim.words + 1;
    return { kind: intShimKind(reading, at), end: at + 4 * words };
  }
  if ((end - at) % 4 === 0) return undefined;
  const padding = parseHpccPadding(bytes, at, end);
  if (padding instanceof WireFault) return undefined;
  const behind = at + hpccPaddingLength(padding);
  return behind === end || behind === end - AUTHENTICATION.size
    ? { kind: 'hpcc-padding', end: behind }
    : undefined;
}

const RETH = codecKind(
  'reth',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseReth(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitReth(header as Reth, bytes, offset),
    length: () => RETH_LENGTH,
  },
  { virtualAddress: word, remoteKey: uint(32), dmaLength: uint(32) },
  {
    text: 'RDMA extended transport header',
    toHeader: (fields) => ({
      ...fields,
      virtualAddress: wordHalves(fields['virtualAddress'] as number),
    }),
    toFields: (header) => ({
      ...header,
      virtualAddress: wordValue((header as Reth).virtualAddress),
    }),
  },
);

const AETH = codecKind(
  'aeth',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseAeth(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitAeth(header as Aeth, bytes, offset),
    length: () => AETH_LENGTH,
  },
  { syndrome: oneOf(['ack', 'rnr-nak', 'reserved', 'nak']), value: uint(5), msn: uint(24) },
  {
    text: 'acknowledge extended transport header',
    defaults: { syndrome: 'ack', value: 31 },
    toHeader: ({ syndrome, ...rest }) => ({ ...rest, kind: syndrome }),
    toFields: (header) => {
      const { kind, ...rest } = header as Aeth;
      return { ...rest, syndrome: kind };
    },
  },
);

const ICRC: LayerKind = {
  name: 'icrc',
  text: 'invariant CRC that ends a packet of RoCEv2, without the telemetry in front of the BTH',
  shape: { value: uint(32) },
  defaults: { value: 0 },
  length: () => ICRC_LENGTH,
  write: (fields, bytes, at) => emitIcrc(fields['value'] as number, bytes, at),
  seal: {
    field: 'value',
    compute: icrcOf,
    put: ({ bytes, at }, value) => emitIcrc(value, bytes, at),
  },
  read: ({ bytes, at, end }) =>
    end < at + ICRC_LENGTH
      ? truncated('icrc', at, ICRC_LENGTH, end)
      : { fields: { value: readIcrc(bytes, at) }, length: ICRC_LENGTH },
};

const LENGTH_AT = { ipv4: 2, ipv6: 4, udp: 4 } as const;

function icrcOf({ bytes, at, index, layers }: Laid): number {
  const before = layers.slice(0, index);
  const bth = before.findLast(({ layer }) => layer.kind === 'bth');
  const udp = before.findLast(({ layer }) => layer.kind === 'udp');
  const ip = before.findLast(({ layer }) => layer.kind === 'ipv4' || layer.kind === 'ipv6');
  if (bth === undefined || udp === undefined || ip === undefined) return 0;
  const udpEnd = udp.at + udp.length;
  const removed = bth.at - udpEnd;
  const plain = new Uint8Array(at - ip.at - removed);
  plain.set(bytes.subarray(ip.at, udpEnd));
  plain.set(bytes.subarray(bth.at, at), udpEnd - ip.at);
  if (removed > 0) {
    for (const place of [LENGTH_AT[ip.layer.kind as 'ipv4'], udp.at - ip.at + LENGTH_AT.udp]) {
      writeUint16(plain, place, (readUint16(plain, place) - removed) & 0xffff);
    }
    const shim = before.find(({ layer }) => layer['originalPort'] !== undefined);
    if (shim !== undefined)
      writeUint16(plain, udp.at - ip.at + 2, shim.layer['originalPort'] as number);
  }
  const icrc = computeIcrc(plain, 0, plain.length);
  return icrc instanceof WireFault ? 0 : icrc;
}

export const ROCE_KINDS: readonly LayerKind[] = [
  BTH,
  RETH,
  AETH,
  fixedKind('compact-response', COMPACT_RESPONSE, {
    text: 'telemetry of a link in the reserved bytes of a CNP',
  }),
  layoutKind('roce-request', ROCE_REQUEST, {
    text: 'our telemetry request over RoCEv2',
    defaults: { messageVersion: 1 },
  }),
  layoutKind('roce-response', ROCE_RESPONSE, {
    text: 'our telemetry response over RoCEv2',
    defaults: { messageVersion: 1 },
  }),
  ICRC,
];
