/** What a packet state consists of; the generator decides it once per program. */
export interface StateShape {
  /** Lengths of the arrays. */
  readonly words: number;
  readonly numbers: number;
  readonly bigints: number;
  /** Cell of each slot: of the words, or complemented of the numbers; undefined when wider. */
  readonly slots: readonly (number | undefined)[];
  /** Where the fields are that {@link slots} leaves out. */
  readonly wide: readonly (WidePlace | undefined)[];
  readonly headers: readonly HeaderExtent[];
  /** Headers of each stack. */
  readonly stacks: readonly (readonly number[])[];
  /** Members of each header union. */
  readonly unions: readonly (readonly number[])[];
  /** Unions of each stack of unions. */
  readonly unionStacks: readonly (readonly number[])[];
}

/** The first cell of a field of more than 52 bits. */
export interface WidePlace {
  readonly representation: 'pair' | 'bigint';
  readonly cell: number;
}

/** Which cells a header occupies. */
export interface HeaderExtent {
  readonly index: number;
  readonly typeName: string;
  readonly metadata: boolean;
  /** Length without the varbit field. */
  readonly byteLength: number;
  /** Union that the header is a member of. */
  readonly union: number | undefined;
  /** Cell of the varbit field, a bigint. */
  readonly varbitCell: number | undefined;
  readonly firstWord: number;
  readonly endWord: number;
  readonly firstNumber: number;
  readonly endNumber: number;
  readonly firstBigint: number;
  readonly endBigint: number;
}
