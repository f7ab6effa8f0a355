import type { DocumentPath } from '../../document/schema-faults';
import { didYouMean } from '../../nearest-word';
import { WireFault } from '../../wire/fault';
import type { DecodeSettings } from '../decode/decode-settings';
import type { AnyLayer, Fields, Laid, LayerKind, Notes, Reading, SizedLayer } from './layer';
import {
  LayerError,
  bytes as bytesField,
  hexBytes,
  bytesText,
  listOf,
  section,
  uint,
} from './values';

/** Kinds of layers by their names. */
export type Kinds = ReadonlyMap<string, LayerKind>;

/** Most bytes of a frame: what an IP packet can have, and its link. */
const FRAME_BYTES_MAX = 0x10000 + 64;

const PATCHES = listOf(section({ at: uint(16), bytes: bytesField() }));

/**
 * Checks a stack of layers, and gives it back with its values in one form.
 * @throws LayerError for kinds, fields and values that there are not.
 */
export function checkStack(
  kinds: Kinds,
  stack: readonly unknown[],
  path: DocumentPath = [],
): AnyLayer[] {
  return stack.map((layer, i) => checkLayer(kinds, layer, [...path, i]));
}

function checkLayer(kinds: Kinds, layer: unknown, path: DocumentPath): AnyLayer {
  const { name, given, at } = splitLayer(layer, path);
  const kind = kinds.get(name);
  if (kind === undefined) {
    const names = [...kinds.keys()];
    throw new LayerError(
      path,
      `no such layer: ${name}${didYouMean(name, names)}; there are ${names.join(', ')}`,
    );
  }
  const { patch, ...rest } = given as { patch?: unknown };
  const fields = section(kind.shape).read(rest, at) as Fields;
  const patches = patch === undefined ? {} : { patch: PATCHES.read(patch, [...at, 'patch']) };
  return { kind: name, ...fields, ...patches };
}

/** `{ kind: 'udp', sourcePort: 1 }`, `{ udp: { sourcePort: 1 } }` or `udp`. */
function splitLayer(
  layer: unknown,
  path: DocumentPath,
): { name: string; given: object; at: DocumentPath } {
  if (typeof layer === 'string') return { name: layer, given: {}, at: path };
  if (typeof layer === 'object' && layer !== null && !Array.isArray(layer)) {
    const { kind, ...given } = layer as { kind?: unknown };
    if (typeof kind === 'string') return { name: kind, given, at: path };
    const [entry, ...others] = Object.entries(layer);
    if (entry !== undefined && others.length === 0) {
      const [name, fields] = entry as [string, unknown];
      if (fields === null) return { name, given: {}, at: path };
      if (typeof fields === 'string' && name === 'payload')
        return { name, given: { text: fields }, at: path };
      if (typeof fields === 'object' && !Array.isArray(fields))
        return { name, given: fields, at: [...path, name] };
      throw new LayerError(
        path,
        `wanted the fields of ${name} as a section, found ${JSON.stringify(fields)}`,
      );
    }
  }
  const text = JSON.stringify(layer) ?? 'nothing';
  throw new LayerError(
    path,
    `wanted a layer, such as "udp: { destinationPort: 50002 }", found ${text.slice(0, 60)}`,
  );
}

/**
 * Bytes of a stack of layers. Fields that are not given follow from the layers, from the innermost to the outermost.
 * @throws LayerError for stacks that {@link checkStack} refuses, and those longer than a packet can be.
 */
export function craftStack(
  kinds: Kinds,
  stack: readonly unknown[],
  settings: DecodeSettings,
): Uint8Array {
  const given = checkStack(kinds, stack);
  const sized = sizeLayers(kinds, given, settings);
  const length = sized.reduce((sum, layer) => sum + layer.length, 0);
  if (length > FRAME_BYTES_MAX) {
    throw new LayerError(
      [],
      `wanted at most ${FRAME_BYTES_MAX} bytes, found ${length}: give fewer hops or less payload`,
    );
  }
  const bytes = new Uint8Array(length);
  const layers = placed(sized);
  layers.forEach(({ layer, at }, i) => {
    within(i, layer.kind, () => (kinds.get(layer.kind) as LayerKind).write(layer, bytes, at));
  });
  layers.forEach(({ layer, at, length: own }, i) =>
    patchLayer(layer, bytes, { at, own, path: [i, 'patch'] }),
  );
  const end = endOfPackets(layers, bytes.length);
  for (let index = layers.length - 1; index >= 0; index--) {
    const { layer, at } = layers[index] as (typeof layers)[number];
    const { seal } = kinds.get(layer.kind) as LayerKind;
    if (seal === undefined || given[index]?.[seal.field] !== undefined) continue;
    const laid: Laid = { bytes, at, end, index, layers, settings };
    seal.put(laid, seal.compute(laid));
  }
  return bytes;
}

function sizeLayers(
  kinds: Kinds,
  given: readonly AnyLayer[],
  settings: DecodeSettings,
): SizedLayer[] {
  const sized: SizedLayer[] = [];
  let length = 0;
  for (let i = given.length - 1; i >= 0; i--) {
    const layer = given[i] as AnyLayer;
    const kind = kinds.get(layer.kind) as LayerKind;
    const known = { ...kind.defaults, ...layer };
    const derived = kind.derive?.(known, { length, layers: sized, settings });
    const full = { ...kind.defaults, ...derived, ...layer } as AnyLayer;
    const own = within(i, layer.kind, () => kind.length(full));
    sized.unshift({ layer: full, length: own });
    if (layer.kind !== TRAILER) length += own;
  }
  return sized;
}

/** Blames the layer for what its codec refuses to write. */
function within<T>(index: number, kind: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof LayerError && error.path.length > 0) {
      throw new LayerError([index, kind, ...error.path], error.sentence);
    }
    throw new LayerError([index, kind], error instanceof Error ? error.message : String(error));
  }
}

const TRAILER = 'trailer';

function placed(sized: readonly SizedLayer[]): (SizedLayer & { readonly at: number })[] {
  let at = 0;
  return sized.map((layer) => {
    const place = { ...layer, layer: layer.layer, at };
    at += layer.length;
    return place;
  });
}

const endOfPackets = (
  layers: readonly (SizedLayer & { readonly at: number })[],
  length: number,
): number => {
  const last = layers.at(-1);
  return last?.layer.kind === TRAILER ? last.at : length;
};

function patchLayer(
  { patch }: AnyLayer,
  bytes: Uint8Array,
  { at, own, path }: { readonly at: number; readonly own: number; readonly path: DocumentPath },
): void {
  for (const { at: offset = 0, bytes: digits = '' } of (patch ?? []) as readonly {
    at?: number;
    bytes?: string;
  }[]) {
    const raw = hexBytes(digits);
    if (offset + raw.length > own) {
      throw new LayerError(
        path,
        `wanted bytes within the ${own} of the layer, found ${raw.length} at ${offset}`,
      );
    }
    bytes.set(raw, at + offset);
  }
}

/** A frame as layers. */
export interface Dissected {
  /** {@link craftStack} makes the frame's bytes of them, whatever they were. */
  readonly layers: readonly AnyLayer[];
  /** Headers that should have been there and were none; their bytes are payload. */
  readonly faults: readonly WireFault[];
  /** Bytes of payload that a switch has cut off (trimming); 0 of whole frames, undefined where no header says how many. */
  readonly cutBytes: number | undefined;
}

/** Reads layers from the first one on. What follows from the others is left out where it is right. */
export function dissectBytes(
  kinds: Kinds,
  bytes: Uint8Array,
  first: string,
  settings: DecodeSettings,
): Dissected {
  const faults: WireFault[] = [];
  const { layers: read, cutBytes } = readLayers(kinds, bytes, first, { settings, faults });
  return { layers: withoutDerived(kinds, bytes, read, settings), faults, cutBytes };
}

type PlacedLayer = SizedLayer & { readonly at: number };

function readLayers(
  kinds: Kinds,
  bytes: Uint8Array,
  first: string,
  { settings, faults }: { readonly settings: DecodeSettings; readonly faults: WireFault[] },
): { readonly layers: readonly PlacedLayer[]; readonly cutBytes: number | undefined } {
  const notes: Notes = {
    dscp: 0,
    destinationPort: 0,
    transport: undefined,
    hasIfa: false,
    intType: 0,
    isTrimmed: false,
    cutBytes: 0,
    plan: new Map(),
  };
  const layers: PlacedLayer[] = [];
  let at = 0;
  let next: string | undefined = first;
  while (at < bytes.length) {
    const planned = at === 0 ? undefined : notes.plan.get(at);
    const end = boundaryBehind(notes.plan, at, bytes.length);
    const name: string = planned ?? next ?? 'payload';
    const reading: Reading = { bytes, at, end, settings, notes };
    const found = readOne(kinds, name, reading);
    if (found instanceof WireFault) faults.push(found);
    const layer =
      found instanceof WireFault || found.length === 0
        ? { layer: rawLayer('payload', bytes, at, end), length: end - at, next: undefined }
        : found;
    layers.push({ layer: layer.layer, length: layer.length, at });
    at += layer.length;
    next = layer.next;
  }
  return { layers, cutBytes: notes.cutBytes };
}

function boundaryBehind(plan: ReadonlyMap<number, string>, at: number, length: number): number {
  let end = length;
  for (const place of plan.keys()) if (place > at && place < end) end = place;
  return end;
}

const rawLayer = (kind: string, bytes: Uint8Array, at: number, end: number): AnyLayer => ({
  kind,
  bytes: bytesText(bytes.subarray(at, end)),
});

function readOne(
  kinds: Kinds,
  name: string,
  reading: Reading,
):
  | { readonly layer: AnyLayer; readonly length: number; readonly next: string | undefined }
  | WireFault {
  const { bytes, at, end } = reading;
  const kind = kinds.get(name) as LayerKind;
  const found = kind.read(reading);
  if (found instanceof WireFault) return found;
  const { fields, length, next } = found;
  if (at + length > end)
    return new WireFault(name, at, `needs ${length} bytes, ${end - at} left`, length);
  const layer = { kind: name, ...fields };
  return { layer: { ...layer, ...differences(kind, layer, { bytes, at, length }) }, length, next };
}

/** Bits that the fields do not say, reserved ones for example. */
function differences(
  kind: LayerKind,
  layer: AnyLayer,
  {
    bytes,
    at,
    length,
  }: { readonly bytes: Uint8Array; readonly at: number; readonly length: number },
): Fields {
  const written = new Uint8Array(length);
  kind.write({ ...kind.defaults, ...layer }, written, 0);
  const patch: { at: number; bytes: string }[] = [];
  for (let i = 0; i < length; i++) {
    if (written[i] === bytes[at + i]) continue;
    let to = i + 1;
    while (to < length && written[to] !== bytes[at + to]) to++;
    patch.push({ at: i, bytes: bytesText(bytes.subarray(at + i, at + to)) });
    i = to;
  }
  return patch.length === 0 ? {} : { patch };
}

function withoutDerived(
  kinds: Kinds,
  bytes: Uint8Array,
  read: readonly PlacedLayer[],
  settings: DecodeSettings,
): AnyLayer[] {
  const end = endOfPackets(read, bytes.length);
  return read.map(({ layer, at }, index) => {
    const kind = kinds.get(layer.kind) as LayerKind;
    const inside = read.slice(index + 1);
    const length = inside.reduce(
      (sum, each) => sum + (each.layer.kind === TRAILER ? 0 : each.length),
      0,
    );
    const surroundings = { length, layers: inside, settings };
    const kept = new Map(Object.entries(layer));
    const derive = (): Fields =>
      kind.derive?.({ ...kind.defaults, ...Object.fromEntries(kept) }, surroundings) ?? {};
    const names = Object.keys(derive());
    for (const name of names) kept.delete(name);
    for (const name of names) {
      const value = layer[name];
      if (value !== undefined && !same(derive()[name], value)) kept.set(name, value);
    }
    const { seal } = kind;
    if (seal !== undefined) {
      const laid: Laid = { bytes, at, end, index, layers: read, settings };
      if (seal.compute(laid) === layer[seal.field]) kept.delete(seal.field);
    }
    return { kind: layer.kind, ...Object.fromEntries(kept) };
  });
}

const same = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
