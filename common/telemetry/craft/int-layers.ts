import { WireFault, truncated } from '../../wire/fault';
import { INT_MD_HEADER_LENGTH, emitIntMdHeader } from '../../wire/int/int-md-header';
import type { IntMdInstructions } from '../../wire/int/int-md-header';
import { INT_V2_METADATA, baselineWords, emitIntBlock } from '../../wire/int/int-metadata';
import type { IntBlockLayout } from '../../wire/int/int-metadata';
import { emitIntMx, intMxLength, parseIntMx } from '../../wire/int/int-mx';
import type { IntMx } from '../../wire/int/int-mx';
import { parseBehindShim, parseIntPacket, v1LayoutOf } from '../../wire/int/int-packet';
import { INT_SHIM_LENGTH, INT_TYPE_MD, INT_TYPE_MX } from '../../wire/int/int-shim';
import { emitIntShim, parseIntShim } from '../../wire/int/int-shim';
import type { IntShim } from '../../wire/int/int-shim';
import { readIntBlock } from '../../wire/int/int-metadata';
import { INT_V05_HEAD_LENGTH, INT_V05_METADATA, INT_V05_TAIL_LENGTH } from '../../wire/int/int-v05';
import { emitIntV05Head, emitIntV05Tail } from '../../wire/int/int-v05';
import type { IntV05Head, IntV05Tail } from '../../wire/int/int-v05';
import {
  INT_V1_HEADER_LENGTH,
  INT_V1_SHIM_LENGTH,
  emitIntV1Header,
} from '../../wire/int/int-v1-header';
import { emitIntV1Shim } from '../../wire/int/int-v1-header';
import type { IntV1Instructions } from '../../wire/int/int-v1-header';
import { TRIMMED_DSCP } from '../../wire/ip/trimming';
import { HOPS, bitmapOf, blockOf, hopOf, realWords, wordsPerHop } from './int-hop';
import { codecKind } from './layer';
import type { Fields, Inside, LayerKind, ReadLayer, Reading } from './layer';
import { kindOfPort, nextKind, originalPortFor } from './next-kind';
import { bytes as bytesField, bytesText, flag, hexBytes, uint } from './values';

const hopsOf = (fields: Fields): readonly Fields[] => (fields['hops'] ?? []) as readonly Fields[];

/** INT headers behind any shim, by the shim's type. */
export const intKindOf = (type: number): string | undefined =>
  type === INT_TYPE_MD ? 'int-md' : type === INT_TYPE_MX ? 'int-mx' : undefined;

/** Type of the INT header that follows; INT-MD where none does. */
export const intTypeOf = (inside: Inside): number =>
  nextKind(inside) === 'int-mx' ? INT_TYPE_MX : INT_TYPE_MD;

/** Words of the INT header that follows; 0 where none does. */
export function intWordsOf({ layers }: Inside): number {
  const [next] = layers;
  const isInt = next?.layer.kind === 'int-md' || next?.layer.kind === 'int-mx';
  return isInt ? Math.floor(next.length / 4) % 256 : 0;
}

/** Notes the extent of INT behind a shim that ends at `headerAt`, and the kind behind it. */
export function announceInt(
  { notes }: Reading,
  type: number,
  intEnd: number,
  then: string | undefined,
): string | undefined {
  notes.intType = type;
  if (!notes.plan.has(intEnd)) notes.plan.set(intEnd, then ?? 'payload');
  return intKindOf(type);
}

const SHIM = codecKind(
  'int-shim',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseIntShim(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitIntShim(header as IntShim, bytes, offset),
    length: () => INT_SHIM_LENGTH,
  },
  {
    type: uint(4),
    npt: uint(2),
    words: uint(8),
    originalDscp: uint(6),
    originalPort: uint(16),
    originalProtocol: uint(8),
  },
  {
    text: 'shim of INT 2.x behind UDP or TCP; npt 0 with originalDscp, 1 with originalPort, 2 with originalProtocol',
    optional: ['originalDscp', 'originalPort', 'originalProtocol'],
    derive: (fields, inside) => ({
      type: intTypeOf(inside),
      words: intWordsOf(inside),
      ...(fields['npt'] === 1 ? { originalPort: originalPortFor(inside) } : {}),
      ...(fields['npt'] === 0 ? { originalDscp: 0 } : {}),
      ...(fields['npt'] === 2 ? { originalProtocol: 0 } : {}),
    }),
    next: (fields, reading, length) => {
      const { notes, at, end } = reading;
      if (fields['originalDscp'] === TRIMMED_DSCP) notes.isTrimmed = true;
      if (fields['npt'] === 1) notes.destinationPort = fields['originalPort'] as number;
      const intEnd = at + length + 4 * (fields['words'] as number);
      return announceInt(
        reading,
        fields['type'] as number,
        intEnd,
        intEnd < end ? kindOfPort(reading, intEnd) : undefined,
      );
    },
  },
);

/** Flags and counts that INT headers of all versions have. */
const COMMON = {
  discard: flag,
  hopLimitExceeded: flag,
  mtuExceeded: flag,
  hopWords: uint(5),
  remainingHops: uint(8),
  instructionBitmap: uint(16),
} as const;

const DOMAIN = { domainId: uint(16), dsInstruction: uint(16), dsFlags: uint(16) } as const;
const NO_DOMAIN = { domainId: 0, dsInstruction: 0, dsFlags: 0 };
const NO_FLAGS = { discard: false, hopLimitExceeded: false, mtuExceeded: false, remainingHops: 8 };

const mdLayout = (fields: Fields): IntBlockLayout => ({
  instructionBitmap: fields['instructionBitmap'] as number,
  hopWords: fields['hopWords'] as number,
  ...INT_V2_METADATA,
});

/** Writes hops, the newest first, and returns where they end. */
function writeHops(fields: Fields, layout: IntBlockLayout, bytes: Uint8Array, at: number): number {
  const hops = hopsOf(fields);
  const hopWords = realWords(layout, hops);
  hops.forEach((hop, i) => {
    const place = at + 4 * hopWords * (hops.length - 1 - i);
    emitIntBlock(blockOf(hop), bytes, place, { ...layout, hopWords });
  });
  return at + 4 * hopWords * hops.length;
}

const hopsLength = (fields: Fields, layout: IntBlockLayout): number =>
  4 * realWords(layout, hopsOf(fields)) * hopsOf(fields).length;

function readHops(bytes: Uint8Array, from: number, to: number, layout: IntBlockLayout): Fields[] {
  const hops: Fields[] = [];
  const step = 4 * layout.hopWords;
  if (step === 0) return hops;
  for (let at = to - step; at >= from; at -= step)
    hops.push(hopOf(readIntBlock(bytes, at, layout)));
  return hops;
}

const MD: LayerKind = {
  name: 'int-md',
  text: 'INT-MD 2.x with hops in path order, behind a shim; instructionBitmap and hopWords by the hops',
  shape: { ...COMMON, ...DOMAIN, hops: HOPS },
  defaults: { ...NO_FLAGS, ...NO_DOMAIN, hops: [] },
  derive: (fields) => {
    const hops = hopsOf(fields);
    const bitmap = (fields['instructionBitmap'] ?? bitmapOf(hops)) as number;
    return { instructionBitmap: bitmap, hopWords: wordsPerHop(bitmap, hops) % 32 };
  },
  length: (fields) => INT_MD_HEADER_LENGTH + hopsLength(fields, mdLayout(fields)),
  write: (fields, bytes, at) => {
    emitIntMdHeader(fields as unknown as IntMdInstructions, bytes, at);
    writeHops(fields, mdLayout(fields), bytes, at + INT_MD_HEADER_LENGTH);
  },
  read: readMd,
};

function readMd({ bytes, at, end }: Reading): ReadLayer | WireFault {
  const shim = { type: INT_TYPE_MD, words: 0, npt: 0, originalDscp: 0 } as const;
  const head = parseBehindShim(bytes, shim, { headerAt: at, intEnd: end });
  if (head instanceof WireFault) return head;
  if (head.kind !== 'int-md') return new WireFault('int-md', at, 'no INT-MD');
  const hops = readHops(bytes, head.stackAt, head.stackEnd, head.layout);
  return { fields: { ...head.header, hops }, length: end - at };
}

const MX: LayerKind = {
  name: 'int-mx',
  text: 'INT-MX 2.1, behind a shim, with metadata of the source',
  shape: { discard: flag, instructionBitmap: uint(16), ...DOMAIN, sourceMetadata: bytesField() },
  defaults: { discard: false, instructionBitmap: 0, ...NO_DOMAIN, sourceMetadata: '' },
  length: (fields) => intMxLength(mxOf(fields)),
  write: (fields, bytes, at) => emitIntMx(mxOf(fields), bytes, at),
  read: ({ bytes, at, end }) => {
    const header = parseIntMx(bytes, at, end);
    if (header instanceof WireFault) return header;
    return {
      fields: { ...header, sourceMetadata: bytesText(header.sourceMetadata) },
      length: end - at,
    };
  },
};

const mxOf = (fields: Fields): IntMx =>
  ({ ...fields, sourceMetadata: hexBytes(fields['sourceMetadata'] as string) }) as IntMx;

const v1Layout = (fields: Fields): IntBlockLayout =>
  v1LayoutOf(fields as unknown as IntV1Instructions);

const V1: LayerKind = {
  name: 'int-v1',
  text: 'INT 1.0: shim, header and hops; words, instructionBitmap and hopWords by the hops',
  shape: { words: uint(8), originalDscp: uint(6), replication: uint(2), ...COMMON, hops: HOPS },
  defaults: { originalDscp: 0, replication: 0, ...NO_FLAGS, hops: [] },
  derive: (fields) => {
    const hops = hopsOf(fields);
    const instructionBitmap = (fields['instructionBitmap'] ?? bitmapOf(hops)) as number;
    const hopWords = (fields['hopWords'] ??
      baselineWords(instructionBitmap, V1_USUAL) % 32) as number;
    const length = hopsLength(fields, v1Layout({ ...fields, instructionBitmap, hopWords }));
    return {
      instructionBitmap,
      hopWords,
      words: ((INT_V1_SHIM_LENGTH + INT_V1_HEADER_LENGTH + length) / 4) % 256,
    };
  },
  length: (fields) =>
    INT_V1_SHIM_LENGTH + INT_V1_HEADER_LENGTH + hopsLength(fields, v1Layout(fields)),
  write: (fields, bytes, at) => {
    emitIntV1Shim(fields as never, bytes, at);
    emitIntV1Header(fields as never, bytes, at + INT_V1_SHIM_LENGTH);
    writeHops(fields, v1Layout(fields), bytes, at + INT_V1_SHIM_LENGTH + INT_V1_HEADER_LENGTH);
  },
  read: (reading) => {
    const { bytes, at, end } = reading;
    const packet = parseIntPacket(bytes, at, end);
    if (packet instanceof WireFault) return packet;
    if (packet.kind !== 'int-v1') return new WireFault('int-v1', at, 'no INT 1.0');
    const length = 4 * packet.shim.words;
    const fields = {
      ...packet.shim,
      ...packet.header,
      hops: packet.stack.blocks.map(hopOf).reverse(),
    };
    return { fields, length, next: kindOfPort(reading, at + length) };
  },
};

const V1_USUAL = { timestampWords: 1, bit6: 'interfaces' } as const;

const v05Layout = (fields: Fields): IntBlockLayout => ({
  instructionBitmap: fields['instructionBitmap'] as number,
  hopWords: fields['hopWords'] as number,
  ...INT_V05_METADATA,
});

const {
  discard,
  hopLimitExceeded,
  hopWords: hopWordsField,
  instructionBitmap: bitmapField,
} = COMMON;
const V05_FIXED = INT_V05_HEAD_LENGTH + INT_V05_TAIL_LENGTH;

const V05: LayerKind = {
  name: 'int-v0.5',
  text: 'INT 0.5: shim, header, hops and tail; words, totalHops, instructionBitmap and hopWords by the hops',
  shape: {
    words: uint(8),
    replication: uint(2),
    discard,
    hopLimitExceeded,
    hopWords: hopWordsField,
    maxHops: uint(8),
    totalHops: uint(8),
    instructionBitmap: bitmapField,
    hops: HOPS,
    originalProtocol: uint(8),
    originalPort: uint(16),
    originalDscp: uint(6),
  },
  defaults: {
    replication: 0,
    discard: false,
    hopLimitExceeded: false,
    maxHops: 8,
    hops: [],
    originalProtocol: 17,
    originalDscp: 0,
  },
  derive: (fields, inside) => {
    const hops = hopsOf(fields);
    const instructionBitmap = (fields['instructionBitmap'] ?? bitmapOf(hops)) as number;
    const hopWords = (fields['hopWords'] ??
      wordsPerHop(instructionBitmap, [], INT_V05_METADATA) % 32) as number;
    const length = hopsLength(fields, v05Layout({ ...fields, instructionBitmap, hopWords }));
    return {
      instructionBitmap,
      hopWords,
      totalHops: hops.length % 256,
      words: ((V05_FIXED + length) / 4) % 256,
      originalPort: originalPortFor(inside),
    };
  },
  length: (fields) => V05_FIXED + hopsLength(fields, v05Layout(fields)),
  write: (fields, bytes, at) => {
    emitIntV05Head(fields as unknown as IntV05Head, bytes, at);
    const tailAt = writeHops(fields, v05Layout(fields), bytes, at + INT_V05_HEAD_LENGTH);
    emitIntV05Tail(fields as unknown as IntV05Tail, bytes, tailAt);
  },
  read: (reading) => {
    const { bytes, at, end } = reading;
    const packet = parseIntPacket(bytes, at, end);
    if (packet instanceof WireFault) return packet;
    if (packet.kind !== 'int-v0.5') return new WireFault('int-v0.5', at, 'no INT 0.5');
    const length = 4 * packet.header.words;
    reading.notes.destinationPort = packet.tail.originalPort;
    const fields = {
      ...packet.header,
      hops: packet.stack.blocks.map(hopOf).reverse(),
      ...packet.tail,
    };
    return { fields, length, next: kindOfPort(reading, at + length) };
  },
};

const MARKER: LayerKind = {
  name: 'int-marker',
  text: 'probe marker of 64 bits in front of INT',
  shape: { value: bytesField(8) },
  defaults: { value: '0000000000000000' },
  length: () => 8,
  write: (fields, bytes, at) => bytes.set(hexBytes(fields['value'] as string), at),
  read: ({ bytes, at, end }) => {
    if (end < at + 8) return truncated('int-marker', at, 8, end);
    return {
      fields: { value: bytesText(bytes.subarray(at, at + 8)) },
      length: 8,
      next: 'int-shim',
    };
  },
};

export const INT_KINDS: readonly LayerKind[] = [MARKER, SHIM, MD, MX, V1, V05];
