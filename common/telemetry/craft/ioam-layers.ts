import { InputError } from '../../errors';
import { WireFault } from '../../wire/fault';
import {
  IOAM_INTEGRITY_LENGTH,
  emitIoamIntegrity,
  parseIoamIntegrity,
} from '../../wire/ioam/ioam-integrity';
import type { IoamIntegrity } from '../../wire/ioam/ioam-integrity';
import type { IoamNode } from '../../wire/ioam/ioam-node';
import { IPV6_OPTION_IOAM, IPV6_OPTION_IOAM_MUTABLE } from '../../wire/ioam/ioam-option';
import { emitIoamOption, ioamOptionLength, parseIoamOption } from '../../wire/ioam/ioam-option';
import type { IoamOption } from '../../wire/ioam/ioam-option';
import {
  emitIpv6Options,
  ipv6OptionsLength,
  padIpv6Options,
  parseIpv6Options,
} from '../../wire/ip/ipv6';
import type { Ipv6OptionContent } from '../../wire/ip/ipv6';
import type { Fields, LayerKind } from './layer';
import { kindOfProtocol, nextKind, protocolOf } from './next-kind';
import {
  bytes as bytesField,
  bytesText,
  flag,
  hexBytes,
  listOf,
  section,
  uint,
  word,
  wordHalves,
  wordValue,
} from './values';

const NODE = section({
  hopLimit: uint(8),
  nodeId: uint(24),
  ingressInterface: uint(16),
  egressInterface: uint(16),
  seconds: uint(32),
  fraction: uint(32),
  transitDelay: uint(32),
  namespaceData: uint(32),
  queueDepth: uint(32),
  checksumComplement: uint(32),
  wideNode: word,
  ingressInterfaceWide: uint(32),
  egressInterfaceWide: uint(32),
  namespaceDataWide: word,
  bufferOccupancy: uint(32),
  undefinedWords: listOf(uint(32)),
  snapshot: section({ schemaId: uint(24), data: bytesField() }),
});

const INTEGRITY = section({
  keyId: uint(8),
  nodeId: uint(24),
  counter: word,
  checkValue: bytesField(16),
});

/** Options of IOAM, whatever carries them, with their integrity header. */
export const IOAM_SHAPE = {
  trace: section({
    namespaceId: uint(16),
    overflow: flag,
    loopback: flag,
    active: flag,
    remainingWords: uint(7),
    traceType: uint(24),
    isIncremental: flag,
    hops: listOf(NODE),
  }),
  directExport: section({
    namespaceId: uint(16),
    flags: uint(8),
    traceType: uint(24),
    flowId: uint(32),
    sequence: uint(32),
    otherFlags: uint(6),
    otherWords: listOf(uint(32)),
  }),
  edgeToEdge: section({
    namespaceId: uint(16),
    sequence64: word,
    sequence: uint(32),
    seconds: uint(32),
    fraction: uint(32),
  }),
  integrity: INTEGRITY,
};

/** Options of IPv6: one of IOAM's, or any other by its type. */
const OPTION = section({ ...IOAM_SHAPE, type: uint(8), data: bytesField() });

const TRACE_DEFAULTS = {
  namespaceId: 0,
  overflow: false,
  loopback: false,
  active: false,
  remainingWords: 0,
  traceType: 0,
  isIncremental: false,
};

const wordsIn = (
  fields: Fields,
  names: readonly string[],
  turn: (value: never) => unknown,
): Fields => {
  const turned = names.filter((name) => fields[name] !== undefined);
  return {
    ...fields,
    ...Object.fromEntries(turned.map((name) => [name, turn(fields[name] as never)])),
  };
};

const NODE_WORDS = ['wideNode', 'namespaceDataWide'];

function nodeOf(hop: Fields): IoamNode {
  const node = wordsIn(hop, NODE_WORDS, wordHalves);
  const { snapshot } = hop as { snapshot?: { schemaId?: number; data?: string } };
  if (snapshot === undefined) return node;
  return {
    ...node,
    snapshot: { schemaId: snapshot.schemaId ?? 0, data: hexBytes(snapshot.data ?? '') },
  };
}

function hopOf(node: IoamNode): Fields {
  const hop = wordsIn({ ...node }, NODE_WORDS, wordValue);
  const { snapshot } = node;
  if (snapshot === undefined) return hop;
  return { ...hop, snapshot: { schemaId: snapshot.schemaId, data: bytesText(snapshot.data) } };
}

function ioamOf(option: Fields): IoamOption | undefined {
  const { trace, directExport, edgeToEdge } = option as Readonly<
    Record<string, Fields | undefined>
  >;
  if (trace !== undefined) {
    const { hops = [], ...rest } = trace as { hops?: readonly Fields[] };
    const nodes = hops.map(nodeOf).reverse();
    return { kind: 'trace', trace: { ...TRACE_DEFAULTS, ...rest, nodes } };
  }
  if (directExport !== undefined) {
    const rest = {
      namespaceId: 0,
      flags: 0,
      traceType: 0,
      otherFlags: 0,
      otherWords: [],
      ...directExport,
    };
    return { kind: 'direct-export', directExport: rest };
  }
  if (edgeToEdge === undefined) return undefined;
  const e2e = { namespaceId: 0, ...wordsIn(edgeToEdge, ['sequence64'], wordHalves) };
  return { kind: 'edge-to-edge', edgeToEdge: e2e };
}

/** Header bytes in front of the check value, by kind, behind reserved byte and type. */
const HEADER_LENGTHS = { trace: 10, 'direct-export': 10, 'edge-to-edge': 6 } as const;
const PROTECTED = 64;

function contentOf(option: Fields): Ipv6OptionContent {
  const content = anyContentOf(option);
  const { length } = content.data;
  if (length <= OPTION_BYTES_MAX) return content;
  const advice = 'give fewer hops or remainingWords';
  throw new InputError(
    `wanted options of at most ${OPTION_BYTES_MAX} bytes, found ${length}: ${advice}`,
  );
}

/** The length of an option has eight bits. */
const OPTION_BYTES_MAX = 255;

function anyContentOf(option: Fields): Ipv6OptionContent {
  const given = option['type'] as number | undefined;
  const data = ioamBytes(option);
  if (data === undefined)
    return { type: given ?? 1, data: hexBytes((option['data'] ?? '') as string) };
  const usual = option['trace'] === undefined ? IPV6_OPTION_IOAM : IPV6_OPTION_IOAM_MUTABLE;
  return { type: given ?? usual, data };
}

/** A reserved byte, the type of IOAM, and the option of {@link IOAM_SHAPE}; undefined where there is none. */
export function ioamBytes(option: Fields): Uint8Array | undefined {
  const ioam = ioamOf(option);
  if (ioam === undefined) return undefined;
  const plain = new Uint8Array(ioamOptionLength(ioam));
  emitIoamOption(ioam, plain, 0);
  const integrity = option['integrity'] as Fields | undefined;
  if (integrity === undefined) return plain;
  const at = HEADER_LENGTHS[ioam.kind];
  const data = new Uint8Array(plain.length + IOAM_INTEGRITY_LENGTH);
  data.set(plain.subarray(0, at));
  data[1] = (plain[1] as number) + PROTECTED;
  emitIoamIntegrity(integrityOf(integrity), data, at);
  data.set(plain.subarray(at), at + IOAM_INTEGRITY_LENGTH);
  return data;
}

const integrityOf = (fields: Fields): IoamIntegrity => ({
  keyId: (fields['keyId'] ?? 0) as number,
  nodeId: (fields['nodeId'] ?? 0) as number,
  counter: wordHalves((fields['counter'] ?? 0) as number),
  checkValue: hexBytes((fields['checkValue'] ?? '00'.repeat(16)) as string),
});

/** The option as a document has it: IOAM's where its bytes are just that, else its data. */
function optionOf({ type, data }: Ipv6OptionContent): Fields {
  const raw = { type, data: bytesText(data) };
  if (type !== IPV6_OPTION_IOAM && type !== IPV6_OPTION_IOAM_MUTABLE) return raw;
  const known = ioamFields(data);
  if (known === undefined) return raw;
  const isUsual = type === ('trace' in known ? IPV6_OPTION_IOAM_MUTABLE : IPV6_OPTION_IOAM);
  const option = isUsual ? known : { ...known, type };
  return bytesText(contentOf(option).data) === raw.data ? option : raw;
}

/** The other way round; undefined where the bytes are no option that is known. */
export function ioamFields(data: Uint8Array): Fields | undefined {
  const isProtected = (data[1] ?? 0) >= PROTECTED;
  if (!isProtected) return optionFields(parseIoamOption(data, 0, data.length));
  const at =
    (data[1] ?? 0) - PROTECTED === 3 ? HEADER_LENGTHS['edge-to-edge'] : HEADER_LENGTHS.trace;
  const integrity = parseIoamIntegrity(data, at, data.length);
  if (integrity instanceof WireFault) return undefined;
  const plain = new Uint8Array(data.length - IOAM_INTEGRITY_LENGTH);
  plain.set(data.subarray(0, at));
  plain.set(data.subarray(at + IOAM_INTEGRITY_LENGTH), at);
  plain[1] = (data[1] ?? 0) - PROTECTED;
  const fields = optionFields(parseIoamOption(plain, 0, plain.length));
  const { counter, checkValue, ...rest } = integrity;
  const shown = { ...rest, counter: wordValue(counter), checkValue: bytesText(checkValue) };
  return fields === undefined ? undefined : { ...fields, integrity: shown };
}

function optionFields(option: IoamOption | WireFault): Fields | undefined {
  if (option instanceof WireFault) return undefined;
  switch (option.kind) {
    case 'trace': {
      const { nodes, ...rest } = option.trace;
      return { trace: { ...rest, hops: nodes.map(hopOf).reverse() } };
    }
    case 'direct-export':
      return { directExport: option.directExport };
    case 'edge-to-edge':
      return { edgeToEdge: wordsIn({ ...option.edgeToEdge }, ['sequence64'], wordValue) };
  }
}

const PADDING: readonly number[] = [0, 1];

/** Options as they are written: with padding between them unless there is to be none. */
function writtenOptions(fields: Fields): Ipv6OptionContent[] {
  const options = (fields['options'] as readonly Fields[]).map(contentOf);
  return fields['pad'] === false ? options : padIpv6Options(options);
}

const lengthOf = (options: readonly Ipv6OptionContent[]): number =>
  Math.max(8, 8 * Math.ceil(ipv6OptionsLength({ options }) / 8));

const optionsKind = (name: string, what: string): LayerKind => ({
  name,
  text: `${what} of IPv6: options trace, directExport and edgeToEdge of IOAM (hops in path order), or type and data; pad: false for none but the given padding`,
  shape: { nextHeader: uint(8), options: listOf(OPTION), pad: flag },
  defaults: { options: [] },
  derive: (_, inside) => ({ nextHeader: protocolOf(nextKind(inside), inside.settings) }),
  length: (fields) => lengthOf(writtenOptions(fields)),
  write: (fields, bytes, at) => {
    const options = writtenOptions(fields);
    const length = lengthOf(options);
    const gap = length - ipv6OptionsLength({ options });
    const fill = Array.from({ length: gap }, () => ({ type: 0, data: new Uint8Array() }));
    emitIpv6Options(
      { nextHeader: fields['nextHeader'] as number, options: [...options, ...fill] },
      bytes,
      at,
    );
  },
  read: (reading) => {
    const { bytes, at, end, settings } = reading;
    const header = parseIpv6Options(bytes, at, end);
    if (header instanceof WireFault) return header;
    const plain = header.options.filter(({ type }) => !PADDING.includes(type));
    const next = kindOfProtocol(header.nextHeader, settings);
    const padded = { options: plain.map(optionOf) };
    const isPadded = sameBytes(padIpv6Options(plain), header.options);
    const fields = isPadded ? padded : { options: header.options.map(optionOf), pad: false };
    return { fields: { nextHeader: header.nextHeader, ...fields }, length: header.length, next };
  },
});

const sameBytes = (a: readonly Ipv6OptionContent[], b: readonly Ipv6OptionContent[]): boolean =>
  a.length === b.length &&
  a.every(({ type, data }, i) => type === b[i]?.type && bytesText(data) === bytesText(b[i].data));

export const IOAM_KINDS: readonly LayerKind[] = [
  optionsKind('hop-by-hop', 'hop-by-hop options'),
  optionsKind('destination-options', 'destination options'),
];
