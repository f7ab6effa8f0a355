import type { BooleanExpression, DataExpression } from './expressions';
import type { FieldTarget, Statement } from './statements';

/** Names of the errors that the parser itself raises, as core.p4 declares them. */
export type ParserFault =
  | 'PacketTooShort'
  | 'StackOutOfBounds'
  | 'HeaderTooShort'
  | 'ParserInvalidArgument'
  | 'ParserTimeout';

/** Codes of p4c, for programs that leave out the table of errors. */
const DEFAULT_CODES: Record<ParserFault, number> = {
  PacketTooShort: 1,
  StackOutOfBounds: 3,
  HeaderTooShort: 4,
  ParserTimeout: 5,
  ParserInvalidArgument: 6,
};

/** The code of a fault. @param errors codes by name, as the program declares them. */
export function faultCode(fault: ParserFault, errors: ReadonlyMap<string, number>): number {
  return errors.get(fault) ?? DEFAULT_CODES[fault];
}

/** No sensible packet passes so many states; a loop that consumes nothing would. */
export const STATE_LIMIT = 10_000;

/** Header that an extraction fills. */
export type ExtractTarget =
  | { readonly kind: 'header'; readonly header: number }
  /** The next free element of a stack. */
  | { readonly kind: 'next'; readonly stack: number }
  /** A member of the next free element of a union stack. */
  | { readonly kind: 'next-member'; readonly unionStack: number; readonly member: number };

export type ParserOperation =
  /** A header with a varbit field gives it `bits` bits. */
  | {
      readonly kind: 'extract';
      readonly target: ExtractTarget;
      readonly bits: DataExpression | undefined;
    }
  | { readonly kind: 'set'; readonly target: FieldTarget; readonly value: DataExpression }
  /** Offset and width in bits, counted from the first byte that is not extracted yet. */
  | {
      readonly kind: 'set-lookahead';
      readonly target: FieldTarget;
      readonly bitOffset: number;
      readonly width: number;
    }
  | {
      readonly kind: 'verify';
      readonly condition: BooleanExpression;
      readonly error: DataExpression;
    }
  | { readonly kind: 'advance'; readonly bits: DataExpression }
  | { readonly kind: 'statement'; readonly statement: Statement };

/** One element of a `select`, padded on the left to whole bytes. */
export type TransitionKeyPart =
  | { readonly kind: 'data'; readonly value: DataExpression; readonly width: number }
  | { readonly kind: 'lookahead'; readonly bitOffset: number; readonly width: number };

export type Transition = ValueTransition | ValueSetTransition;

export interface ValueTransition {
  readonly kind: 'value';
  /** Compared with the concatenated key after ANDing both with `mask`. */
  readonly value: bigint;
  readonly mask: bigint | undefined;
  /** Index of the next state, or ACCEPT. */
  readonly next: number;
}

/** Taken when the parts of the key are a member of a value set. */
interface ValueSetTransition {
  readonly kind: 'value-set';
  /** Position among the value sets of the program. */
  readonly valueSet: number;
  /** Index of the next state, or ACCEPT. */
  readonly next: number;
}

export const ACCEPT = -1;

export interface ParserState {
  readonly name: string;
  readonly operations: readonly ParserOperation[];
  readonly key: readonly TransitionKeyPart[];
  /** In order; the first match wins. */
  readonly transitions: readonly Transition[];
  readonly defaultNext: number;
}
