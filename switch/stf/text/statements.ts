import type { Duration } from '../../../common/units/units';

/**
 * Statements of the Simple Test Framework (STF) of the P4 compiler, as parsed: names and numbers
 * are still text, because what they mean depends on the program under test.
 */

/** A number as written. Its digits may be `*`: those bits are zero in both figures. */
export interface Literal {
  readonly text: string;
  readonly value: bigint;
  /** Ones in all bits that are written with a digit. */
  readonly known: bigint;
  /** Bits of all digits, `*` included; a decimal number has as many as its value needs. */
  readonly bits: number;
  readonly radix: 2 | 8 | 10 | 16;
}

export type MatchValue =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'prefix'; readonly value: Literal; readonly length: Literal }
  | { readonly kind: 'masked'; readonly value: Literal; readonly mask: Literal }
  | { readonly kind: 'range'; readonly low: Literal; readonly high: Literal };

export interface NamedMatch {
  readonly name: string;
  readonly value: MatchValue;
}

export interface ActionText {
  readonly name: string;
  readonly arguments: readonly { readonly name: string; readonly value: Literal }[];
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

interface CounterTest {
  readonly unit: 'bytes' | 'packets';
  readonly operator: ComparisonOperator;
  readonly value: bigint;
}

/** Tokens per microsecond and the size of the bucket, in bytes or packets. */
export interface MeterRate {
  readonly perMicrosecond: number;
  readonly burst: number;
}

/** Pattern of an expected packet: hexadecimal digits, `*` for any of them. */
export interface Pattern {
  readonly digits: string;
  /** The packet ends where the pattern ends. */
  readonly exact: boolean;
}

type TableStatement =
  | {
      readonly kind: 'add';
      readonly table: string;
      readonly priority: number | undefined;
      readonly matches: readonly NamedMatch[];
      readonly action: ActionText;
      /** Name under which later statements know the entry. */
      readonly id: string | undefined;
    }
  | { readonly kind: 'setdefault'; readonly table: string; readonly action: ActionText }
  | { readonly kind: 'remove-all' }
  | { readonly kind: 'remove'; readonly id: string };

type ProfileStatement =
  | { readonly kind: 'member-create'; readonly profile: string; readonly action: ActionText }
  | {
      readonly kind: 'group-create';
      readonly profile: string;
      readonly members: readonly number[];
    };

type PacketStatement =
  | { readonly kind: 'packet'; readonly port: number; readonly bytes: Uint8Array }
  | { readonly kind: 'expect'; readonly port: number; readonly pattern: Pattern | undefined }
  | { readonly kind: 'no-packet' }
  | { readonly kind: 'wait'; readonly duration: Duration };

type ReplicationStatement =
  | { readonly kind: 'mirroring-add'; readonly session: number; readonly port: number }
  | { readonly kind: 'mirroring-add-mc'; readonly session: number; readonly group: number }
  | { readonly kind: 'mirroring-delete'; readonly session: number }
  | { readonly kind: 'mirroring-get'; readonly session: number }
  | { readonly kind: 'mc-group-create'; readonly group: number }
  | { readonly kind: 'mc-node-create'; readonly rid: number; readonly ports: readonly number[] }
  | { readonly kind: 'mc-node-update'; readonly node: number; readonly ports: readonly number[] }
  | { readonly kind: 'mc-node-associate'; readonly group: number; readonly node: number };

type StateStatement =
  | {
      readonly kind: 'check-counter';
      readonly counter: string;
      /** A cell of the array, or the name of the entry that the counter belongs to. */
      readonly cell: number | string;
      readonly test: CounterTest | undefined;
    }
  | { readonly kind: 'counter-read'; readonly counter: string; readonly index: number }
  | {
      readonly kind: 'counter-write';
      readonly counter: string;
      readonly index: number;
      readonly bytes: bigint;
      readonly packets: bigint;
    }
  | { readonly kind: 'register-read'; readonly register: string; readonly index: number }
  | {
      readonly kind: 'register-write';
      readonly register: string;
      readonly index: number;
      readonly value: bigint;
    }
  | { readonly kind: 'register-reset'; readonly register: string }
  | {
      readonly kind: 'check-register';
      readonly register: string;
      readonly index: number;
      readonly operator: ComparisonOperator;
      readonly value: bigint;
    }
  | { readonly kind: 'meter-get-rates'; readonly meter: string; readonly index: number }
  | {
      readonly kind: 'meter-set-rates';
      readonly meter: string;
      /** Undefined for all cells of the array. */
      readonly index: number | undefined;
      readonly rates: readonly MeterRate[];
    }
  /** A direct meter: the one of the entry with that name. */
  | {
      readonly kind: 'meter-set-entry-rates';
      readonly meter: string;
      readonly id: string;
      readonly rates: readonly MeterRate[];
    };

type TargetStatement =
  | { readonly kind: 'value-set-add'; readonly valueSet: string; readonly value: bigint }
  | {
      readonly kind: 'set-queue-rate';
      readonly packetsPerSecond: number;
      readonly port: number | undefined;
    }
  | {
      readonly kind: 'set-queue-depth';
      readonly packets: number;
      readonly port: number | undefined;
    }
  | {
      readonly kind: 'expect-digest';
      readonly digest: string;
      readonly values: readonly bigint[];
    }
  | { readonly kind: 'expect-log'; readonly text: string };

export type Command =
  | TableStatement
  | ProfileStatement
  | PacketStatement
  | ReplicationStatement
  | StateStatement
  | TargetStatement;

/** A command and the line on which it begins, counted from 1. */
export interface Statement {
  readonly line: number;
  readonly command: Command;
}

/** A test with the name of its file, for messages. */
export interface StfTest {
  readonly file: string;
  readonly statements: readonly Statement[];
}
