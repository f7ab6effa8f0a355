import type { Word64 } from '../../wire/bytes';
import { WireFault } from '../../wire/fault';
import type { FixedFormat, WireFormat } from '../../wire/fixed-format';
import type { Layout, LayoutValue } from '../../wire/layout';
import type { DecodeSettings } from '../decode/decode-settings';
import { bytes as bytesField, flag, uint, word, wordHalves, wordValue } from './values';
import type { Field, Shape } from './values';

/** Fields of a layer as the engine sees them: each kind knows its own. */
export type Fields = Readonly<Record<string, unknown>>;

/** A layer of a stack; `kind` names one of `LAYER_KINDS`. */
export interface AnyLayer {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Layers that follow a layer. */
export interface Inside {
  /** Bytes of all layers behind this one, without those behind the end of the IP packet. */
  readonly length: number;
  /** Those layers, with all their fields. */
  readonly layers: readonly SizedLayer[];
  readonly settings: DecodeSettings;
}

/** A layer and the bytes of its header. */
export interface SizedLayer {
  readonly layer: AnyLayer;
  readonly length: number;
}

/** A frame whose bytes are in place, and one layer of it. */
export interface Laid {
  readonly bytes: Uint8Array;
  /** Where the layer begins. */
  readonly at: number;
  /** Where what it carries ends. */
  readonly end: number;
  readonly index: number;
  /** All layers with their offsets. */
  readonly layers: readonly (SizedLayer & { readonly at: number })[];
  readonly settings: DecodeSettings;
}

/** A layer that was read from bytes. */
export interface ReadLayer {
  readonly fields: Fields;
  readonly length: number;
  /** Kind of the layer behind it; undefined where nobody says. */
  readonly next?: string | undefined;
}

/** Bytes that are read, from `at` to `end`, and what the layers before have said. */
export interface Reading {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** Where the layer must end: that of the packet, of its options or the like. */
  readonly end: number;
  readonly settings: DecodeSettings;
  readonly notes: Notes;
}

/** Notes of outer layers about inner ones; each kind may add to them. */
export interface Notes {
  dscp: number;
  /** UDP port that says what the payload is: behind INT, the one that the packet had before. */
  destinationPort: number;
  transport: 'udp' | 'tcp' | undefined;
  /** IFA's header has announced metadata behind the transport header. */
  hasIfa: boolean;
  /** Type of INT that a shim has announced. */
  intType: number;
  /** The DSCP, or the one that INT has taken the place of, says that a switch has cut the packet. */
  isTrimmed: boolean;
  /** Bytes of payload that the header of the transport says and that are not there; undefined: it does not say them. */
  cutBytes: number | undefined;
  /** Offsets at which a layer must begin, and its kind: behind options, packets and the like. */
  readonly plan: Map<number, string>;
}

/** A kind of layer: its fields, its codec, and what follows from its surroundings. */
export interface LayerKind {
  readonly name: string;
  /** Its meaning and source. */
  readonly text: string;
  readonly shape: Shape;
  /** Values of fields that are left out and follow from nothing. */
  readonly defaults: Fields;
  /** Fields that follow from what is inside, unless they are given. */
  readonly derive?: (fields: Fields, inside: Inside) => Fields;
  readonly length: (fields: Fields) => number;
  readonly write: (fields: Fields, bytes: Uint8Array, at: number) => void;
  /** A field that covers bytes of other layers: its value, and where it is written. */
  readonly seal?: Seal;
  readonly read: (reading: Reading) => ReadLayer | WireFault;
}

/** A checksum or the like. */
export interface Seal {
  readonly field: string;
  /** Value for the bytes as they are; those of the field itself do not count. */
  readonly compute: (laid: Laid) => number;
  readonly put: (laid: Laid, value: number) => void;
}

/** Fields of a {@link FixedFormat}, from its own table. */
export function shapeOfFormat<H extends object>(
  format: FixedFormat<H>,
  without: readonly string[] = [],
): Shape {
  const shape: Record<string, Field<unknown>> = {};
  for (const { name, kind, bits } of format.fields) {
    if (kind === 'reserved' || without.includes(name)) continue;
    shape[name] = kind === 'flag' ? flag : kind === 'word64' ? word : uint(bits);
  }
  return shape;
}

/** Fields of a {@link Layout}, from its own table. */
export function shapeOfLayout(layout: Layout): Shape {
  const shape: Record<string, Field<unknown>> = {};
  for (const { name, bits, as } of layout.fields) {
    if (as === 'reserved') continue;
    shape[name] =
      as === 'flag' ? flag : as === 'hex' ? bytesField(bits / 8) : bits > 53 ? word : uint(bits);
  }
  return shape;
}

/** Zeros for fields of a shape that are left out. */
export const zerosOf = (shape: Shape, besides: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(shape)
      .filter(([name]) => !besides.includes(name))
      .map(([name, field]) => [name, zeroOf(field)]),
  );

function zeroOf({ form }: Field<unknown>): unknown {
  if (form.type === 'flag') return false;
  if (form.type === 'bytes') return '00'.repeat(form.length ?? 0);
  return form.type === 'list' ? [] : 0;
}

/** Values of a format's header for documents. */
export function toDocument(header: object): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(header)) {
    fields[name] =
      typeof value === 'object' && value !== null && 'high' in value
        ? wordValue(value as Word64)
        : value;
  }
  return fields;
}

/** The other way round, for fields that are 64 bits. */
export function fromDocument(fields: Fields, words: readonly string[]): Fields {
  if (words.length === 0) return fields;
  const header: Record<string, unknown> = { ...fields };
  for (const name of words) header[name] = wordHalves(fields[name] as number | string);
  return header;
}

/** Parts of a kind besides its format. */
export interface KindRest {
  readonly text: string;
  readonly defaults?: Fields;
  /** Fields that are not there unless they are given. */
  readonly optional?: readonly string[];
  readonly derive?: LayerKind['derive'];
  readonly seal?: Seal;
  readonly next?: (header: Fields, reading: Reading, length: number) => string | undefined;
}

/** A kind that is just a {@link FixedFormat}. */
export function fixedKind<H extends object>(
  name: string,
  format: FixedFormat<H>,
  rest: KindRest,
): LayerKind {
  const shape = shapeOfFormat(format);
  const words = format.fields.filter(({ kind }) => kind === 'word64').map((each) => each.name);
  return codecKind(name, format, shape, {
    ...rest,
    toHeader: (fields) => fromDocument(fields, words),
    toFields: toDocument,
  });
}

/** A kind with a codec and a shape of its own. */
export function codecKind(
  name: string,
  format: WireFormat<object>,
  shape: Shape,
  rest: KindRest & {
    readonly toHeader?: (fields: Fields) => object;
    readonly toFields?: (header: object) => Fields;
  },
): LayerKind {
  const { toHeader = same, toFields = same, next, derive } = rest;
  return {
    name,
    text: rest.text,
    shape,
    defaults: { ...zerosOf(shape, rest.optional), ...rest.defaults },
    ...(derive === undefined ? {} : { derive }),
    ...(rest.seal === undefined ? {} : { seal: rest.seal }),
    length: (fields) => format.length(toHeader(fields)),
    write: (fields, bytes, at) => format.emit(toHeader(fields), bytes, at),
    read: (reading) => {
      const header = format.parse(reading.bytes, reading.at, reading.end);
      if (header instanceof WireFault) return header;
      const all = toFields(header);
      const fields = Object.fromEntries(
        Object.keys(shape)
          .filter((key) => all[key] !== undefined)
          .map((key) => [key, all[key]]),
      );
      const length = format.length(toHeader(fields));
      return { fields, length, next: next?.(fields, reading, length) };
    },
  };
}

const same = (fields: object): Fields => fields as Fields;

/** A kind that is just a {@link Layout}. */
export function layoutKind(name: string, layout: Layout, rest: KindRest): LayerKind {
  const shape = shapeOfLayout(layout);
  return {
    name,
    text: rest.text,
    shape,
    defaults: { ...zerosOf(shape, rest.optional), ...rest.defaults },
    ...(rest.derive === undefined ? {} : { derive: rest.derive }),
    length: () => layout.size,
    write: (fields, bytes, at) => layout.write(layoutValues(layout, fields), bytes, at),
    read: (reading) => {
      const { bytes, at, end } = reading;
      if (end < at + layout.size)
        return new WireFault(name, at, `needs ${layout.size} bytes, ${end - at} left`, layout.size);
      const fields = layoutFields(layout, bytes, at);
      return { fields, length: layout.size, next: rest.next?.(fields, reading, layout.size) };
    },
  };
}

export function layoutFields(layout: Layout, bytes: Uint8Array, at: number): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(layout.readRaw(bytes, at))) {
    fields[name] =
      typeof value === 'object'
        ? wordValue(value)
        : typeof value === 'string'
          ? value.slice(2)
          : value;
  }
  return fields;
}

export function layoutValues(layout: Layout, fields: Fields): Record<string, LayoutValue | Word64> {
  const values: Record<string, LayoutValue | Word64> = {};
  for (const { name, as, bits } of layout.fields) {
    if (as === 'reserved') continue;
    const value = fields[name];
    const isWord = as !== 'hex' && bits > 53;
    values[name] = isWord ? wordHalves(value as number | string) : (value as LayoutValue);
  }
  return values;
}
