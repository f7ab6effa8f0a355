import type {
  BooleanExpression,
  DataExpression,
  HeaderExpression,
  UnionExpression,
} from './expressions';

/** Width and overflow rule of a field. */
export interface FieldFormat {
  readonly width: number;
  readonly signed: boolean;
  readonly saturating: boolean;
}

/** Target of an assignment. */
export type FieldTarget =
  | { readonly kind: 'field'; readonly slot: number; readonly format: FieldFormat }
  | {
      readonly kind: 'header-field';
      readonly header: HeaderExpression;
      /** Position among the fields of the header. */
      readonly offset: number;
      readonly format: FieldFormat;
    };

/** One primitive of an action. Jump targets are positions in the action's statement list. */
export type Statement =
  | { readonly kind: 'assign'; readonly target: FieldTarget; readonly value: DataExpression }
  | {
      readonly kind: 'assign-header';
      readonly target: HeaderExpression;
      readonly source: HeaderExpression;
    }
  | { readonly kind: 'assign-stack'; readonly target: number; readonly source: number }
  /** Copies a varbit field with its current length; both fields have the same type. */
  | {
      readonly kind: 'assign-varbit';
      readonly target: HeaderExpression;
      readonly source: HeaderExpression;
    }
  | {
      readonly kind: 'assign-union';
      readonly target: UnionExpression;
      readonly source: UnionExpression;
    }
  /** Target and source are positions among the union stacks. */
  | { readonly kind: 'assign-union-stack'; readonly target: number; readonly source: number }
  | { readonly kind: 'push-unions'; readonly unionStack: number; readonly count: number }
  | { readonly kind: 'pop-unions'; readonly unionStack: number; readonly count: number }
  | { readonly kind: 'add-header'; readonly header: HeaderExpression }
  | { readonly kind: 'remove-header'; readonly header: HeaderExpression }
  | { readonly kind: 'push'; readonly stack: number; readonly count: number }
  | { readonly kind: 'pop'; readonly stack: number; readonly count: number }
  /** The egress port becomes the drop port; `clear` is the multicast group, set to 0. */
  | {
      readonly kind: 'drop';
      readonly egressSpec: FieldTarget;
      readonly clear: FieldTarget | undefined;
    }
  | { readonly kind: 'exit' }
  | { readonly kind: 'jump'; readonly to: number }
  | { readonly kind: 'jump-if-false'; readonly condition: BooleanExpression; readonly to: number }
  | {
      readonly kind: 'register-read';
      readonly target: FieldTarget;
      readonly array: number;
      readonly index: DataExpression;
    }
  | {
      readonly kind: 'register-write';
      readonly array: number;
      readonly index: DataExpression;
      readonly value: DataExpression;
    }
  /** `target = base + hash mod max`. */
  | {
      readonly kind: 'hash';
      readonly target: FieldTarget;
      readonly calculation: number;
      readonly base: DataExpression;
      readonly max: DataExpression;
    }
  | { readonly kind: 'count'; readonly array: number; readonly index: DataExpression }
  /** Writes the colour (0 green, 1 yellow, 2 red); nothing happens outside the array. */
  | {
      readonly kind: 'execute-meter';
      readonly array: number;
      readonly index: DataExpression;
      readonly target: FieldTarget;
    }
  /** Uniform between both bounds, which are included; nothing happens when low exceeds high. */
  | {
      readonly kind: 'random';
      readonly target: FieldTarget;
      readonly low: DataExpression;
      readonly high: DataExpression;
    }
  /** Asks for a copy behind the pipeline; `fieldList` is an id, 0 for none. The last call wins. */
  | { readonly kind: 'clone'; readonly session: DataExpression; readonly fieldList: DataExpression }
  | { readonly kind: 'resubmit'; readonly fieldList: DataExpression }
  | { readonly kind: 'recirculate'; readonly fieldList: DataExpression }
  /** Asks for a digest behind ingress; `digest` is an id of {@link Program.digests}. */
  | { readonly kind: 'digest'; readonly digest: DataExpression }
  /** The packet leaves with at most so many bytes; of several calls the smallest counts. */
  | { readonly kind: 'truncate'; readonly length: DataExpression }
  | {
      readonly kind: 'log';
      readonly format: string;
      readonly arguments: readonly DataExpression[];
    }
  | { readonly kind: 'assert'; readonly condition: BooleanExpression; readonly place: string }
  | { readonly kind: 'no-operation' };

export type StatementOf<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** Everything that a primitive can do except jump. */
export type Effect = Exclude<Statement, { kind: 'jump' | 'jump-if-false' }>;

/** Statements that copy, add, remove and move whole headers. */
export type HeaderStatement = StatementOf<
  | 'assign-header'
  | 'assign-varbit'
  | 'assign-stack'
  | 'assign-union'
  | 'assign-union-stack'
  | 'add-header'
  | 'remove-header'
  | 'push'
  | 'pop'
  | 'push-unions'
  | 'pop-unions'
>;

/** Statements that use state beyond the packet, or functions that P4 does not define. */
export type ExternStatement = StatementOf<
  'register-read' | 'register-write' | 'hash' | 'count' | 'execute-meter' | 'random'
>;

/** Statements that ask the architecture to do something behind the pipeline. */
export type RequestStatement = StatementOf<
  'clone' | 'resubmit' | 'recirculate' | 'digest' | 'truncate'
>;
