import type { HashAlgorithm } from '../runtime/hash';
import type { MatchKind } from '../../common/p4runtime/key-field';
import type { BooleanExpression } from './expressions';
import type { ParserState } from './parser-nodes';
import type { FieldTarget, Statement } from './statements';

/**
 * Nodes of a P4 program after loading: every name is resolved to an index, every constant is parsed
 * and every shape is checked. Executors rely on it and check nothing again.
 *
 * Fields of all headers share one array per packet; a field's place in it is its *slot*. Headers,
 * stacks, tables, register arrays and so on are indices into the arrays of {@link Program}.
 */

/** One field of a header instance. Values are kept as the numbers that the field denotes. */
export interface FieldLayout {
  readonly name: string;
  /** Index into the values of a packet. */
  readonly slot: number;
  /** Width in bits; of a varbit field the largest one. */
  readonly width: number;
  /** A varbit field: its present width is kept per header. */
  readonly variable: boolean;
  /** Two's complement: the value ranges from -2^(width-1) to 2^(width-1)-1. */
  readonly signed: boolean;
  /** Writes clamp to the range instead of wrapping. */
  readonly saturating: boolean;
  /** Distance of the field's first bit from the header's, with an empty varbit field before. */
  readonly bitOffset: number;
  readonly header: number;
}

/** A header or metadata instance. */
export interface HeaderLayout {
  readonly name: string;
  readonly typeName: string;
  readonly index: number;
  /** Metadata is always valid and never leaves the switch. */
  readonly metadata: boolean;
  readonly fields: readonly FieldLayout[];
  readonly firstSlot: number;
  /** Length on the wire; a varbit field adds to it. */
  readonly byteLength: number;
  /** Position of the varbit field among the fields. */
  readonly varbit: number | undefined;
  /** Union that the header is a member of: validating the header invalidates its siblings. */
  readonly union: number | undefined;
}

/** A header union: at most one of its members is valid. */
export interface UnionLayout {
  readonly name: string;
  readonly index: number;
  readonly typeName: string;
  readonly memberNames: readonly string[];
  /** Headers of the members, in the order of their declaration. */
  readonly headers: readonly number[];
}

export interface UnionStackLayout {
  readonly name: string;
  readonly index: number;
  readonly typeName: string;
  readonly unions: readonly number[];
}

/** A header stack: its elements are ordinary headers. */
export interface StackLayout {
  readonly name: string;
  readonly index: number;
  readonly typeName: string;
  readonly headers: readonly number[];
}

export interface RegisterArrayLayout {
  readonly name: string;
  readonly size: number;
  readonly width: number;
}

interface CounterArrayLayout {
  readonly name: string;
  readonly size: number;
}

export type { HashAlgorithm } from '../runtime/hash';

/** Meters have two rates and three colours. */
export interface MeterArrayLayout {
  readonly name: string;
  /** Number of cells; direct meters have one per entry of their table instead. */
  readonly size: number;
  readonly unit: 'packets' | 'bytes';
  readonly direct: boolean;
}

/** Values that a parser state can compare with and the control plane can change. */
export interface ValueSetLayout {
  readonly name: string;
  /** Most members that it takes. */
  readonly size: number;
  /** Widths of the parts of the key, in bits. */
  readonly fieldWidths: readonly number[];
}

/** Fields that a copy of a packet keeps. Ids start at 1; a digest's elements may be constants. */
export interface FieldListLayout {
  readonly id: number;
  readonly name: string;
  readonly elements: readonly FieldListElement[];
}

export type FieldListElement =
  | { readonly kind: 'field'; readonly field: FieldLayout }
  | { readonly kind: 'constant'; readonly value: bigint };

/** One part of the bit string that a checksum or hash is computed over. */
export type HashInput =
  | { readonly kind: 'field'; readonly field: FieldLayout }
  | { readonly kind: 'constant'; readonly value: bigint; readonly width: number }
  | { readonly kind: 'header'; readonly header: number }
  | { readonly kind: 'payload' };

export interface Calculation {
  readonly name: string;
  /** P4 file and line, for people. */
  readonly source?: string | undefined;
  readonly algorithm: HashAlgorithm;
  readonly inputs: readonly HashInput[];
}

export interface Checksum {
  readonly name: string;
  readonly target: FieldLayout;
  readonly calculation: number;
  /** The checksum is skipped when this is false. */
  readonly condition: BooleanExpression;
}

interface ActionParameter {
  readonly name: string;
  readonly width: number;
}

export interface Action {
  readonly id: number;
  readonly name: string;
  /** P4 file and line of its first statement, for people. */
  readonly source?: string | undefined;
  readonly parameters: readonly ActionParameter[];
  readonly statements: readonly Statement[];
}

/** A call whose arguments the program fixes. */
export interface ConstantCall {
  readonly actionId: number;
  readonly arguments: readonly bigint[];
}

export interface KeyPart {
  readonly name: string;
  readonly matchKind: MatchKind;
  readonly width: number;
  /** Source of the key's value; a field of an invalid header counts as 0. */
  readonly source:
    | { readonly kind: 'field'; readonly field: FieldLayout }
    | { readonly kind: 'validity'; readonly header: number };
  /** ANDed with the value before matching. */
  readonly mask: bigint | undefined;
}

/** One key field of an entry that the program declares. */
export type ConstantKey =
  | { readonly kind: 'exact'; readonly value: bigint }
  | { readonly kind: 'lpm'; readonly value: bigint; readonly prefixLength: number }
  | { readonly kind: 'ternary'; readonly value: bigint; readonly mask: bigint }
  | { readonly kind: 'range'; readonly low: bigint; readonly high: bigint };

export interface ConstantEntry {
  readonly key: readonly ConstantKey[];
  /** As in the JSON: the smaller number wins. */
  readonly rank: number;
  readonly call: ConstantCall;
}

export interface TableLayout {
  readonly name: string;
  /** P4 file and line, for people. */
  readonly source?: string | undefined;
  readonly index: number;
  /** The most general of the key's kinds: it decides how entries compete. */
  readonly matchKind: MatchKind;
  readonly key: readonly KeyPart[];
  readonly size: number;
  readonly actionIds: readonly number[];
  readonly withCounters: boolean;
  /** Executed on a hit, before the action. */
  readonly directMeter: { readonly meter: number; readonly target: FieldTarget } | undefined;
  /** Entries may have an idle timeout. */
  readonly withIdleTimeout: boolean;
  /** Index of the action profile of an indirect table. */
  readonly actionProfile: number | undefined;
  readonly defaultCall: ConstantCall | undefined;
  readonly defaultIsConstant: boolean;
  /** Entries that the program declares; a table that has any cannot be written to. */
  readonly entries: readonly ConstantEntry[] | undefined;
}

export interface ActionProfileLayout {
  readonly name: string;
  readonly size: number;
  /** Selector of a member of a group; undefined in profiles without groups. */
  readonly selector:
    | { readonly algorithm: HashAlgorithm; readonly inputs: readonly HashInput[] }
    | undefined;
}

/** The control-flow graph of ingress or egress. {@link END} is the end of it. */
export interface Control {
  readonly name: string;
  readonly start: number;
  readonly nodes: readonly ControlNode[];
}

export const END = -1;

export interface Program {
  readonly name: string;
  readonly headers: readonly HeaderLayout[];
  readonly stacks: readonly StackLayout[];
  readonly unions: readonly UnionLayout[];
  readonly unionStacks: readonly UnionStackLayout[];
  /** Number of field values that a packet carries. */
  readonly slots: number;
  /** Fields by `header.field`, and by the aliases that the target uses. */
  readonly fields: ReadonlyMap<string, FieldLayout>;
  /** Codes of parser errors by name. */
  readonly errors: ReadonlyMap<string, number>;
  readonly parserStart: number;
  readonly parserStates: readonly ParserState[];
  /** Headers in the order in which the deparser emits them. */
  readonly deparserOrder: readonly number[];
  /** Run behind the update of checksums and before the headers are emitted. */
  readonly deparserStatements: readonly Statement[];
  readonly actions: ReadonlyMap<number, Action>;
  readonly registers: readonly RegisterArrayLayout[];
  readonly counters: readonly CounterArrayLayout[];
  readonly meters: readonly MeterArrayLayout[];
  readonly valueSets: readonly ValueSetLayout[];
  /** Field lists of clones and the like, by id. */
  readonly fieldLists: ReadonlyMap<number, FieldListLayout>;
  /** Digests by id. */
  readonly digests: ReadonlyMap<number, FieldListLayout>;
  readonly calculations: readonly Calculation[];
  readonly verifiedChecksums: readonly Checksum[];
  readonly updatedChecksums: readonly Checksum[];
  readonly tables: readonly TableLayout[];
  readonly actionProfiles: readonly ActionProfileLayout[];
  readonly ingress: Control;
  readonly egress: Control;
}

/** Successor of a table; numbers are positions in the control's nodes, or END. */
export type TableSuccessor =
  | { readonly kind: 'hit-or-miss'; readonly hit: number; readonly miss: number }
  /** Successor by the id of the action that ran; `otherwise` when none did. */
  | {
      readonly kind: 'by-action';
      readonly byAction: ReadonlyMap<number, number>;
      readonly otherwise: number;
    };

export type ControlNode =
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly table: number;
      readonly next: TableSuccessor;
    }
  /** Runs an action without a table. */
  | {
      readonly kind: 'action-call';
      readonly name: string;
      readonly actionId: number;
      readonly next: number;
    }
  | {
      readonly kind: 'conditional';
      readonly name: string;
      /** P4 file and line, for people. */
      readonly source?: string | undefined;
      readonly condition: BooleanExpression;
      readonly whenTrue: number;
      readonly whenFalse: number;
    };
