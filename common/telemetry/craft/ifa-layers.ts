import {
  IFA_HEADER_LENGTH,
  IFA_RECORD_WORDS,
  emitIfaHeader,
  emitIfaMetadata,
} from '../../wire/ifa/ifa2';
import { ifaMetadataLength, parseIfaHeader, parseIfaMetadata } from '../../wire/ifa/ifa2';
import type { IfaHeader, IfaMetadata, IfaRecord } from '../../wire/ifa/ifa2';
import { IFA1_RECORD_LENGTH, emitIfa1, ifa1Length, parseIfa1 } from '../../wire/ifa/ifa1';
import type { Ifa1 } from '../../wire/ifa/ifa1';
import { codecKind } from './layer';
import type { Fields, LayerKind } from './layer';
import { kindOfPort, kindOfProtocol, nextKind, protocolOf } from './next-kind';
import { listOf, section, uint } from './values';

const HEADER = codecKind(
  'ifa',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseIfaHeader(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitIfaHeader(header as IfaHeader, bytes, offset),
    length: () => IFA_HEADER_LENGTH,
  },
  {
    version: uint(4),
    globalNamespace: uint(4),
    nextHeader: uint(8),
    flags: uint(5),
    wordsMax: uint(8),
  },
  {
    text: 'IFA 2 between IP and UDP or TCP; a layer ifa-metadata follows those; nextHeader by what follows',
    defaults: { version: 2, globalNamespace: 15, flags: 4, wordsMax: 255 },
    derive: (_, inside) => ({ nextHeader: protocolOf(nextKind(inside), inside.settings) }),
    next: ({ nextHeader }, { notes, settings }) => {
      notes.hasIfa = true;
      return kindOfProtocol(nextHeader, { ...settings, ifaProtocols: [] });
    },
  },
);

const RECORD_SHAPE = {
  localNamespace: uint(4),
  deviceId: uint(20),
  ttl: uint(8),
  speedCode: uint(4),
  congestion: uint(2),
  queueId: uint(6),
  rxSeconds: uint(20),
  egressPort: uint(16),
  ingressPort: uint(16),
  rxNanoseconds: uint(32),
  residenceNs: uint(32),
  opaque: listOf(uint(32)),
} as const;

const recordOf = (hop: Fields): IfaRecord => {
  const zeros = Object.fromEntries(Object.keys(RECORD_SHAPE).map((name) => [name, 0]));
  const opaque = [0, 0, 0].map(
    (zero, i) => ((hop['opaque'] ?? []) as readonly number[])[i] ?? zero,
  );
  return { ...zeros, ...hop, opaque } as unknown as IfaRecord;
};

const METADATA = codecKind(
  'ifa-metadata',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseIfaMetadata(bytes, offset, end),
    emit: (header, bytes, offset = 0) => {
      emitIfaMetadata(header as IfaMetadata, bytes, offset);
      bytes[offset + 3] = (header as { currentWords: number }).currentWords;
    },
    length: (header) => ifaMetadataLength(header as IfaMetadata),
  },
  {
    request: uint(8),
    action: uint(8),
    hopLimit: uint(8),
    currentWords: uint(8),
    hops: listOf(section(RECORD_SHAPE)),
  },
  {
    text: 'metadata of IFA 2 behind UDP or TCP, hops in path order; currentWords by the hops',
    defaults: { hopLimit: 255, hops: [] },
    derive: ({ hops }) => ({
      currentWords: (IFA_RECORD_WORDS * (hops as readonly Fields[]).length) % 256,
    }),
    next: (_, reading, length) => {
      reading.notes.hasIfa = false;
      return kindOfPort(reading, reading.at + length);
    },
    toHeader: ({ hops, ...rest }) => ({
      ...rest,
      records: (hops as readonly Fields[]).map(recordOf).reverse(),
    }),
    toFields: (header) => {
      const { records, ...rest } = header as IfaMetadata;
      const hops = [...records].reverse();
      return { ...rest, currentWords: IFA_RECORD_WORDS * hops.length, hops };
    },
  },
);

const IFA1_SHAPE = {
  deviceId: uint(24),
  portType: uint(8),
  congestion: uint(8),
  txBytes: uint(40),
  ttl: uint(8),
  queueId: uint(8),
  rxSeconds: uint(48),
  rxNanoseconds: uint(32),
  txNanoseconds: uint(32),
  queueCells: uint(16),
  ingressPort: uint(16),
  egressPort: uint(16),
} as const;

const IFA1 = codecKind(
  'ifa1',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseIfa1(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitIfa1(header as Ifa1, bytes, offset),
    length: (header) => ifa1Length(header as Ifa1),
  },
  {
    messageType: uint(12),
    flags: uint(16),
    request: uint(16),
    action: uint(16),
    hopLimit: uint(8),
    hopCount: uint(8),
    lengthMax: uint(16),
    currentLength: uint(16),
    senderHandle: uint(16),
    sequence: uint(16),
    hops: listOf(section(IFA1_SHAPE)),
  },
  {
    text: 'IFA 1 behind UDP, hops in path order; hopCount and currentLength by the hops',
    defaults: { hopLimit: 255, lengthMax: 0xffff, hops: [] },
    derive: ({ hops }) => {
      const count = (hops as readonly Fields[]).length;
      return { hopCount: count % 256, currentLength: (IFA1_RECORD_LENGTH * count) % 0x10000 };
    },
    toHeader: ({ hops, ...rest }) => ({
      ...rest,
      records: (hops as readonly Fields[])
        .map((hop) => ({
          ...Object.fromEntries(Object.keys(IFA1_SHAPE).map((name) => [name, 0])),
          ...hop,
        }))
        .reverse(),
    }),
    toFields: (header) => {
      const { records, ...rest } = header as Ifa1;
      return { ...rest, hops: [...records].reverse() };
    },
  },
);

export const IFA_KINDS: readonly LayerKind[] = [HEADER, METADATA, IFA1];
