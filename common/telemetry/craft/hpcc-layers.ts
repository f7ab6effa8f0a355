import {
  ccmNotificationLength,
  emitCcmNotification,
} from '../../wire/coordination/ccm-notification';
import { parseCcmNotification } from '../../wire/coordination/ccm-notification';
import type { CcmNotification } from '../../wire/coordination/ccm-notification';
import { WireFault } from '../../wire/fault';
import { emitHpccPadding, hpccPaddingLength, parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import type { HpccPadding } from '../../wire/hpcc/hpcc-padding';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_FLAG_AUTH,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_RATIO,
} from '../../wire/hpcc/hpcc-transport';
import {
  HPCC_FLAG_SACK,
  HPCC_SETTINGS,
  HPCC_SWITCH_RESPONSE,
  HPCC_WINDOW,
  parseHpccTransport,
  parseTrimmedData,
} from '../../wire/hpcc/hpcc-transport';
import type { ReceivedTransport } from '../../wire/hpcc/hpcc-transport';
import {
  NS3_INT_LENGTH,
  NS3_INT_SLOTS,
  emitNs3Int,
  parseNs3Int,
} from '../../wire/hpcc/ns3-int-header';
import type { Ns3IntHeader, Ns3IntHop } from '../../wire/hpcc/ns3-int-header';
import {
  AUTHENTICATION,
  COOKIE,
  LOAD_RATIO,
  PATH_SHIM,
  SELECTIVE_ACK,
  SWITCH_RESPONSE_HEAD,
  TOKEN,
  TRANSPORT,
  WINDOW_RECORD,
} from '../../wire/transport-layouts';
import { parsePathShim } from '../../wire/hpcc/path-shim';
import { codecKind, layoutFields, layoutKind, layoutValues, shapeOfLayout } from './layer';
import type { Fields, Inside, LayerKind, Reading } from './layer';
import { kindOfPort, nextKind } from './next-kind';
import { echoKind } from './roce-layers';
import {
  bytes as bytesField,
  bytesText,
  flag,
  hexBytes,
  listOf,
  oneOf,
  section,
  uint,
  word,
  wordHalves,
  wordValue,
} from './values';

const PADDING_HOP = {
  speedCode: uint(4),
  timestamp: uint(24),
  txUnits: uint(20),
  queueUnits: uint(16),
} as const;
const zeroHop = (shape: object): Fields =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, 0]));

const PADDING: LayerKind = {
  name: 'hpcc-padding',
  text: "HPCC's own telemetry, hops in path order; hopCount by the hops",
  shape: { hopCount: uint(4), pathId: uint(12), aligned: flag, hops: listOf(section(PADDING_HOP)) },
  defaults: { pathId: 0, aligned: false, hops: [] },
  derive: ({ hops }) => ({ hopCount: (hops as readonly Fields[]).length % 16 }),
  length: (fields) => hpccPaddingLength(paddingOf(fields)),
  write: (fields, bytes, at) => {
    const padding = paddingOf(fields);
    const last = padding.records.length > 15 ? padding.records.slice(0, 15) : padding.records;
    emitHpccPadding({ ...padding, records: last }, bytes, at);
    bytes[at] = ((fields['hopCount'] as number) << 4) | ((bytes[at] as number) & 0xf);
  },
  read: (reading) => {
    const { bytes, at, end, settings } = reading;
    const padding = parseHpccPadding(bytes, at, end, settings.padding === 'aligned');
    if (padding instanceof WireFault) return padding;
    const { records: hops, ...rest } = padding;
    const length = hpccPaddingLength(padding);
    return {
      fields: { ...rest, hopCount: hops.length, hops },
      length,
      next: kindOfPort(reading, at + length),
    };
  },
};

const paddingOf = ({ pathId, aligned, hops }: Fields): HpccPadding =>
  ({
    pathId,
    aligned,
    records: (hops as readonly Fields[]).map((hop) => ({ ...zeroHop(PADDING_HOP), ...hop })),
  }) as unknown as HpccPadding;

const NS3_HOP = {
  rateCode: uint(3),
  time: uint(24),
  txUnits: uint(20),
  queueUnits: uint(17),
} as const;

const NS3: LayerKind = {
  name: 'ns3-int',
  text: "telemetry of HPCC's public simulator behind UDP, after sequence and priority group (head); five slots",
  shape: { head: bytesField(6), hopCount: uint(16), slots: listOf(section(NS3_HOP)) },
  defaults: { head: '000000000000', slots: [] },
  derive: ({ slots }) => ({ hopCount: (slots as readonly Fields[]).length }),
  length: () => 6 + NS3_INT_LENGTH,
  write: (fields, bytes, at) => {
    bytes.set(hexBytes(fields['head'] as string), at);
    emitNs3Int(ns3Of(fields), bytes, at + 6);
  },
  read: ({ bytes, at, end }) => {
    const header = parseNs3Int(bytes, at + 6, end);
    if (header instanceof WireFault) return header;
    return {
      fields: { head: bytesText(bytes.subarray(at, at + 6)), ...header },
      length: 6 + NS3_INT_LENGTH,
    };
  },
};

function ns3Of({ hopCount, slots }: Fields): Ns3IntHeader {
  const given = slots as readonly Fields[];
  const all = Array.from(
    { length: NS3_INT_SLOTS },
    (_, i) => ({ ...zeroHop(NS3_HOP), ...given[i] }) as unknown as Ns3IntHop,
  );
  return { hopCount: hopCount as number, slots: all };
}

const SWITCH_VERSION = 1;
const PLAIN_VERSION = 3;
const TOKEN_VERSION = 4;

const HPCC: LayerKind = {
  name: 'hpcc',
  text: 'header of our transport: type 1 data, 2 ACK, 3 probe, 4 telemetry, 5 window, 6 switch, 7 settings; flags as text; version and length by what follows',
  shape: shapeOfLayout(TRANSPORT),
  defaults: { type: HPCC_DATA, flags: '00', generation: 0, flowId: 0, sequence: 0 },
  derive: ({ type }, inside) => {
    const hasToken = nextKind(inside) === 'token';
    const version =
      type === HPCC_SWITCH_RESPONSE ? SWITCH_VERSION : hasToken ? TOKEN_VERSION : PLAIN_VERSION;
    return { version, length: bodyLength(inside, hasToken) };
  },
  length: () => TRANSPORT.size,
  write: (fields, bytes, at) => TRANSPORT.write(layoutValues(TRANSPORT, fields), bytes, at),
  read: (reading) => {
    const { bytes, at, end } = reading;
    const parse = reading.notes.isTrimmed ? parseTrimmedData : parseHpccTransport;
    const header = parse(bytes.subarray(0, end), at, end);
    if (header instanceof WireFault) return header;
    const { notes } = reading;
    notes.cutBytes = (notes.cutBytes ?? 0) + header.bodyAt + header.length - end;
    planBody(header, reading);
    const { plan } = reading.notes;
    const next = header.token === undefined ? plan.get(at + TRANSPORT.size) : 'token';
    return { fields: layoutFields(TRANSPORT, bytes, at), length: TRANSPORT.size, next };
  },
};

const bodyLength = ({ length }: Inside, hasToken: boolean): number =>
  (length - (hasToken ? TOKEN.size : 0)) % 0x10000;

/** Layers of a body that the header has announced. */
function planBody(header: ReceivedTransport, { bytes, notes }: Reading): void {
  const { type, flags, bodyAt, length, recordsLength, trailerAt } = header;
  const { plan } = notes;
  const end = bodyAt + length;
  if (type === HPCC_DATA || type === HPCC_SETTINGS || length === 0) {
    // Where nothing of trimmed data is left, the trailer may begin here.
    if (!plan.has(bodyAt)) plan.set(bodyAt, 'payload');
    return;
  }
  if (type === HPCC_SWITCH_RESPONSE) {
    plan.set(bodyAt, 'switch-response');
    plan.set(bodyAt + SWITCH_RESPONSE_HEAD.size, 'payload');
  } else if (type === HPCC_WINDOW) plan.set(bodyAt, 'window');
  else if (recordsLength > 0) {
    const hasRatio = (flags & HPCC_FLAG_RATIO) !== 0;
    plan.set(bodyAt, hasRatio ? 'load-ratio' : recordsKind(bytes, bodyAt, recordsLength));
    if (plan.get(bodyAt) === 'path-shim') plan.set(bodyAt + recordsLength, 'payload');
  }
  if (type === HPCC_ACK && (flags & HPCC_FLAG_SACK) !== 0)
    plan.set(bodyAt + recordsLength, 'selective-ack');
  if (trailerAt === end) return;
  const hasCookie = type !== HPCC_SWITCH_RESPONSE && (flags & HPCC_FLAG_COOKIE) !== 0;
  if (hasCookie) plan.set(trailerAt, 'cookie');
  if ((flags & HPCC_FLAG_AUTH) !== 0) plan.set(trailerAt + (hasCookie ? COOKIE.size : 0), 'auth');
}

/** Kind of what feedback brings back of data. */
function recordsKind(bytes: Uint8Array, at: number, length: number): string {
  const isShim = length === PATH_SHIM.size && !(parsePathShim(bytes, at) instanceof WireFault);
  if (isShim) return 'path-shim';
  const echo = echoKind(bytes, at, at + length);
  return echo?.end === at + length ? echo.kind : 'payload';
}

const ADDRESS = bytesField();

const NOTIFICATION = codecKind(
  'ccm-notification',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseCcmNotification(bytes, offset, end),
    emit: (header, bytes, offset = 0) =>
      emitCcmNotification(header as CcmNotification, bytes, offset),
    length: (header) => ccmNotificationLength(header as CcmNotification),
  },
  {
    type: oneOf(['control-required', 'control-released', 'rerouting-required']),
    anyPort: flag,
    keyId: uint(8),
    senderNode: uint(32),
    sequence: word,
    reroutingPoint: uint(32),
    protocol: uint(8),
    trafficClass: uint(8),
    queueId: uint(8),
    severity: uint(8),
    sourcePort: uint(16),
    destinationPort: uint(16),
    destinationQp: uint(24),
    queueBytes: uint(32),
    time: uint(32),
    source: ADDRESS,
    destination: ADDRESS,
    mac: ADDRESS,
  },
  {
    text: 'notification of coordinated congestion management; source and destination are 4 or 16 bytes, mac 16 with a keyId',
    defaults: { type: 'control-required', source: '0a000001', destination: '0a000002', mac: '' },
    toHeader: ({ source, destination, mac, sequence, ...rest }) => ({
      ...rest,
      sequence: wordHalves(sequence as number),
      source: hexBytes(source as string),
      destination: hexBytes(destination as string),
      mac: hexBytes(mac as string),
    }),
    toFields: (header) => {
      const { source, destination, mac, sequence, ...rest } = header as CcmNotification;
      return {
        ...rest,
        sequence: wordValue(sequence),
        source: bytesText(source),
        destination: bytesText(destination),
        mac: bytesText(mac),
      };
    },
  },
);

export const HPCC_KINDS: readonly LayerKind[] = [
  HPCC,
  layoutKind('token', TOKEN, {
    text: 'token behind our header, which makes it version 4',
    next: (_, { notes, at }, length) => notes.plan.get(at + length),
  }),
  layoutKind('load-ratio', LOAD_RATIO, {
    text: 'load of the bottleneck (16 bits behind the point), in feedback with flag 0x20',
  }),
  layoutKind('selective-ack', SELECTIVE_ACK, {
    text: 'selective acknowledgement, in an ACK with flag 0x04',
    defaults: { sackVersion: 1, sackBlocks: 1, sackFrom1: 1, sackBytes1: 1 },
  }),
  layoutKind('window', WINDOW_RECORD, {
    text: 'window of the receiver; windowBytes has 16 bits behind the point',
  }),
  layoutKind('switch-response', SWITCH_RESPONSE_HEAD, {
    text: 'response of a switch; its block of 32 bytes follows as payload',
  }),
  layoutKind('cookie', COOKIE, { text: 'cookie of feedback, with flag 0x01 and a token' }),
  layoutKind('auth', AUTHENTICATION, { text: 'authentication that ends a signed packet' }),
  layoutKind('path-shim', PATH_SHIM, {
    text: 'time and digest in front of our header; in feedback, those of the data that it answers',
    defaults: { shimVersion: 1 },
    next: (_fields, { at, notes }) => notes.plan.get(at + PATH_SHIM.size) ?? 'hpcc',
  }),
  NOTIFICATION,
  PADDING,
  NS3,
];
