import type { DecodeSettings } from '../decode/decode-settings';
import { DEFAULT_DECODE_SETTINGS } from '../decode/decode-settings';
import { LINK_ETHERNET, LINK_RAW, LINK_SLL, LINK_SLL2 } from '../../wire/capture/link-type';
import { craftStack, checkStack, dissectBytes } from './engine';
import type { Dissected, Kinds } from './engine';
import { HPCC_KINDS } from './hpcc-layers';
import { IFA_KINDS } from './ifa-layers';
import { INT_KINDS } from './int-layers';
import { IOAM_KINDS } from './ioam-layers';
import { IP_KINDS } from './ip-layers';
import type { AnyLayer, Fields, LayerKind } from './layer';
import { LINK_KINDS } from './link-layers';
import { kindOfVersion } from './next-kind';
import { NSH_KINDS } from './nsh-layers';
import { reportKinds } from './report-layers';
import { ROCE_KINDS } from './roce-layers';
import { TUNNEL_KINDS } from './tunnel-layers';
import { bytes as bytesField, bytesText, hexBytes, uint } from './values';
import type { Field } from './values';

const TEXT: Field<string> = {
  form: { type: 'text' },
  wanted: 'text',
  read: (value) => (typeof value === 'string' ? value : String(value)),
};

/** Bytes as they are: of a payload, or behind the end of the packet. */
const rawKind = (name: string, text: string): LayerKind => ({
  name,
  text,
  shape: { bytes: bytesField(), text: TEXT, zeros: uint(16) },
  defaults: {},
  length: (fields) => rawBytes(fields).length,
  write: (fields, bytes, at) => bytes.set(rawBytes(fields), at),
  read: ({ bytes, at, end }) => ({
    fields: { bytes: bytesText(bytes.subarray(at, end)) },
    length: end - at,
  }),
});

function rawBytes({ bytes, text, zeros }: Fields): Uint8Array {
  if (typeof bytes === 'string') return hexBytes(bytes);
  if (typeof text === 'string') return new TextEncoder().encode(text);
  return new Uint8Array((zeros ?? 0) as number);
}

const KINDS = new Map<string, LayerKind>();

const NEST = {
  check: (layers: readonly unknown[], path: readonly PropertyKey[]) =>
    checkStack(KINDS, layers, path),
  craft: (layers: readonly AnyLayer[]) => craftStack(KINDS, layers, DEFAULT_DECODE_SETTINGS),
  dissect: (bytes: Uint8Array, first: string) =>
    dissectBytes(KINDS, bytes, first, DEFAULT_DECODE_SETTINGS).layers,
};

for (const kind of [
  ...LINK_KINDS,
  ...IP_KINDS,
  ...IOAM_KINDS,
  ...NSH_KINDS,
  ...IFA_KINDS,
  ...INT_KINDS,
  ...TUNNEL_KINDS,
  ...reportKinds(NEST),
  ...ROCE_KINDS,
  ...HPCC_KINDS,
  rawKind('payload', 'bytes, text or zeros'),
  rawKind('trailer', 'bytes behind the end of the IP packet'),
]) {
  KINDS.set(kind.name, kind);
}

/** Every kind of layer by its name. */
export const LAYER_KINDS: Kinds = KINDS;

/**
 * Makes a frame from its layers, outermost first. Lengths, checksums, types of what follows, bitmaps and counts are
 * filled in unless they are given, so that they can be wrong on purpose.
 *
 * @param layers each `{ kind, ...fields }` or, as in documents, `{ [kind]: fields }`.
 * @throws LayerError for layers, fields and values that there are not.
 *
 * @example
 * const frame = craftFrame([
 *   { kind: 'ethernet' },
 *   { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2' },
 *   { kind: 'udp', destinationPort: 5000 },
 *   { kind: 'int-shim' },
 *   { kind: 'int-md', hops: [{ nodeId: 1, hopLatency: 400 }] },
 *   { kind: 'payload', text: 'hello' },
 * ]);
 */
export const craftFrame = (
  layers: readonly unknown[],
  settings: Partial<DecodeSettings> = {},
): Uint8Array => craftStack(KINDS, layers, { ...DEFAULT_DECODE_SETTINGS, ...settings });

/**
 * Reads a frame as layers, of which {@link craftFrame} makes the same bytes. Fields that follow from the other
 * layers are left out where they are right; bits that no field says are in `patch`.
 *
 * @param linkType as in captures; Ethernet unless given.
 */
export function dissectFrame(
  bytes: Uint8Array,
  linkType: number = LINK_ETHERNET,
  settings: Partial<DecodeSettings> = {},
): Dissected {
  const first = firstKind(bytes, linkType);
  return dissectBytes(KINDS, bytes, first, { ...DEFAULT_DECODE_SETTINGS, ...settings });
}

function firstKind(bytes: Uint8Array, linkType: number): string {
  if (linkType === LINK_ETHERNET) return 'ethernet';
  if (linkType === LINK_SLL) return 'sll';
  if (linkType === LINK_SLL2) return 'sll2';
  return kindOfVersion(bytes, 0) ?? 'payload';
}

/** Link type of a stack, for captures. */
export function linkTypeOf(layers: readonly AnyLayer[]): number {
  const first = layers[0]?.kind;
  if (first === 'ipv4' || first === 'ipv6') return LINK_RAW;
  return first === 'sll' ? LINK_SLL : first === 'sll2' ? LINK_SLL2 : LINK_ETHERNET;
}

/** Layers with other fields in every one of a kind: those that follow from them are made anew by {@link craftFrame}. */
export const editLayers = (
  layers: readonly AnyLayer[],
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): AnyLayer[] =>
  layers.map((layer) => (layer.kind === kind ? { ...layer, ...fields, kind } : layer));

/** Checks layers without making a frame; gives them in the one form `{ kind, ...fields }`. */
export const checkLayers = (layers: readonly unknown[]): AnyLayer[] => checkStack(KINDS, layers);
