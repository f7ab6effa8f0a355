import { assert } from '../../../common/assert';
import { headerGroups } from '../../executor/header-operations';
import type { Names } from '../text/names';
import { PAIR_BITS, WORD_BITS, representationOf } from './representation';
import type { FieldLayout, HeaderLayout, Program, UnionStackLayout } from '../../ir/nodes';
import type { Identifier } from '../text/code';
import type { Representation } from './representation';
import type { HeaderExtent, StateShape, WidePlace } from '../runtime/generated-packet';

/** Place of a field: the first cell in the array of its representation, or bits of a packed header. */
export type Place = CellPlace | BitPlace;

interface CellPlace {
  readonly name: Identifier;
  readonly representation: Representation;
  readonly cell: number;
}

/** Bits of a header that lies in words as it does in the packet. */
export interface BitPlace {
  readonly name: Identifier;
  readonly representation: 'bits';
  /** The word with the first bit. */
  readonly cell: number;
  /** First bit, counted from the most significant one of that word. */
  readonly bit: number;
  readonly width: number;
}

/** The elements of a stack lie behind each other: how many cells one element takes per array. */
export interface Stride {
  readonly words: number;
  readonly numbers: number;
  readonly bigints: number;
}

interface Counts {
  words: number;
  numbers: number;
  bigints: number;
}

/** Cells of all fields. Elements of a stack are adjacent, so that an index finds them. */
export class Layout {
  readonly program: Program;
  readonly shape: StateShape;
  readonly #places: readonly (Place | undefined)[];
  readonly #fields: readonly FieldLayout[];
  readonly #strides: readonly Stride[];
  readonly #packed: ReadonlySet<number>;

  constructor(program: Program, names: Names) {
    this.program = program;
    const counts: Counts = { words: 0, numbers: 0, bigints: 0 };
    const places: (Place | undefined)[] = new Array<undefined>(program.slots).fill(undefined);
    const extents: (HeaderExtent | undefined)[] = program.headers.map(() => undefined);
    const inStacks = program.stacks.flatMap(({ headers }) => headers);
    const inUnions = program.unionStacks.flatMap((stack) => memberStacks(stack, program).flat());
    const order = new Set([...inStacks, ...inUnions, ...program.headers.keys()]);
    this.#packed = packedHeaders(program);
    for (const index of order) {
      const header = program.headers[index];
      assert(header !== undefined, 'stacks consist of headers of the program');
      const place = this.isPacked(index) ? placeBits : placeField;
      extents[index] = placeHeader(header, counts, (field) => {
        const name = names.unique(`${header.name}.${field.name}`);
        return (places[field.slot] = place(field, counts, name));
      });
    }
    this.#places = places;
    const fields: FieldLayout[] = [];
    for (const header of program.headers)
      for (const field of header.fields) fields[field.slot] = field;
    this.#fields = fields;
    this.#strides = extents.map(strideOf);
    this.shape = {
      ...counts,
      slots: places.map(encodePlace),
      wide: places.map(widePlace),
      headers: extents.filter((extent) => extent !== undefined),
      ...headerGroups(program),
    };
  }

  /** @throws when the program has no such slot, which loading rules out. */
  place(slot: number): Place {
    const place = this.#places[slot];
    assert(place !== undefined, `slot ${slot} belongs to a header`);
    return place;
  }

  field(slot: number): FieldLayout {
    const field = this.#fields[slot];
    assert(field !== undefined, `slot ${slot} belongs to a header`);
    return field;
  }

  /** True if the words of a header are those of the packet, and its fields bits of them. */
  isPacked(header: number): boolean {
    return this.#packed.has(header);
  }

  /** The first of a packed header's words. */
  firstWord(header: number): number {
    const field = this.header(header).fields[0];
    assert(field !== undefined, 'a packed header has fields');
    return this.place(field.slot).cell;
  }

  /** Cells between a header of a stack and the next one. */
  stride(header: number): Stride {
    return this.#strides[header] ?? { words: 0, numbers: 0, bigints: 0 };
  }

  header(index: number): HeaderLayout {
    const header = this.program.headers[index];
    assert(header !== undefined, `the program has a header ${index}`);
    return header;
  }
}

/** The headers of each member of a union stack, in the order of its elements. */
export function memberStacks({ unions }: UnionStackLayout, program: Program): number[][] {
  const elements = unions.map((union) => program.unions[union]?.headers ?? []);
  return (elements[0] ?? []).map((_, member) =>
    elements.flatMap((headers) => headers[member] ?? []),
  );
}

/**
 * Headers that lie in words as they do in the packet: those without varbit, signed and very wide fields.
 * PERF: parser and deparser then move words, not fields; fields that nobody reads cost nothing, and checksums
 * add words up. All headers of one type are equal, so that one can be assigned to the other.
 */
function packedHeaders({ headers }: Program): ReadonlySet<number> {
  const others = headers.filter((header) => !mayBePacked(header)).map(({ typeName }) => typeName);
  const packed = headers.filter(({ typeName }) => !others.includes(typeName));
  return new Set(packed.map(({ index }) => index));
}

function mayBePacked({ metadata, varbit, fields, byteLength }: HeaderLayout): boolean {
  const isPlain = ({ signed, width }: FieldLayout): boolean =>
    !signed && width > 0 && width <= PAIR_BITS;
  return !metadata && varbit === undefined && byteLength > 0 && fields.every(isPlain);
}

function placeHeader(
  header: HeaderLayout,
  counts: Counts,
  place: (field: FieldLayout) => Place,
): HeaderExtent {
  const first = { ...counts };
  const cells = header.fields.map((field) => place(field).cell);
  return {
    index: header.index,
    typeName: header.typeName,
    metadata: header.metadata,
    byteLength: header.byteLength,
    union: header.union,
    varbitCell: header.varbit === undefined ? undefined : cells[header.varbit],
    firstWord: first.words,
    endWord: counts.words,
    firstNumber: first.numbers,
    endNumber: counts.numbers,
    firstBigint: first.bigints,
    endBigint: counts.bigints,
  };
}

function placeField(field: FieldLayout, counts: Counts, name: Identifier): Place {
  const representation = field.variable ? 'bigint' : representationOf(field.width, field.signed);
  switch (representation) {
    case 'word':
      return { name, representation, cell: counts.words++ };
    case 'number':
      return { name, representation, cell: counts.numbers++ };
    case 'pair':
      counts.words += 2;
      return { name, representation, cell: counts.words - 2 };
    case 'bigint':
      return { name, representation, cell: counts.bigints++ };
  }
}

/** Bits of the words from the present one on; the last field of a header ends its last word. */
function placeBits(field: FieldLayout, counts: Counts, name: Identifier): Place {
  const { bitOffset, width } = field;
  const bit = bitOffset % WORD_BITS;
  const cell = bit === 0 ? counts.words : counts.words - 1;
  counts.words = cell + Math.ceil((bit + width) / WORD_BITS);
  return { name, representation: 'bits', cell, bit, width };
}

/** Words as they are, numbers as the complement of their cell; what is wider has no number. */
function encodePlace(place: Place | undefined): number | undefined {
  if (place?.representation === 'word') return place.cell;
  return place?.representation === 'number' ? ~place.cell : undefined;
}

function widePlace(place: Place | undefined): WidePlace | undefined {
  if (place?.representation === 'bits') {
    return { representation: 'bits', cell: place.cell, bit: place.bit, width: place.width };
  }
  if (place?.representation !== 'pair' && place?.representation !== 'bigint') return undefined;
  return { representation: place.representation, cell: place.cell };
}

function strideOf(extent: HeaderExtent | undefined): Stride {
  if (extent === undefined) return { words: 0, numbers: 0, bigints: 0 };
  return {
    words: extent.endWord - extent.firstWord,
    numbers: extent.endNumber - extent.firstNumber,
    bigints: extent.endBigint - extent.firstBigint,
  };
}
