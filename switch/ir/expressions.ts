/**
 * Expressions by the type of their result. Data is an unbounded signed integer: p4c inserts masks
 * where P4 semantics need them, and writing to a field wraps or clamps.
 */

/** A header, known when loading or only when running. */
export type HeaderExpression =
  | { readonly kind: 'header'; readonly header: number }
  | { readonly kind: 'stack-element'; readonly stack: number; readonly index: DataExpression }
  /** The element that was extracted or pushed last. */
  | { readonly kind: 'stack-last'; readonly stack: number }
  | {
      readonly kind: 'union-member';
      readonly union: UnionExpression;
      /** Position among the members of the union. */
      readonly member: number;
    };

/** A header union, known when loading or only when running. */
export type UnionExpression =
  | { readonly kind: 'union'; readonly union: number }
  | {
      readonly kind: 'union-stack-element';
      readonly unionStack: number;
      readonly index: DataExpression;
    }
  /** The element that was extracted or pushed last. */
  | { readonly kind: 'union-stack-last'; readonly unionStack: number };

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^';

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type DataExpression =
  | { readonly kind: 'constant'; readonly value: bigint }
  /** Reads what is stored, whether or not the header is valid. */
  | { readonly kind: 'field'; readonly slot: number }
  /** A field of a header that only running decides; `offset` counts fields. */
  | {
      readonly kind: 'header-field';
      readonly header: HeaderExpression;
      readonly offset: number;
    }
  /** `$valid$`: 1 or 0. */
  | { readonly kind: 'validity'; readonly header: HeaderExpression }
  /** Runtime data of the action, by position. */
  | { readonly kind: 'argument'; readonly index: number }
  | { readonly kind: 'register'; readonly array: number; readonly index: DataExpression }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: DataExpression;
      readonly right: DataExpression;
    }
  | { readonly kind: 'complement'; readonly operand: DataExpression }
  | {
      readonly kind: 'conditional';
      readonly condition: BooleanExpression;
      readonly whenTrue: DataExpression;
      readonly whenFalse: DataExpression;
    }
  | { readonly kind: 'boolean-to-data'; readonly operand: BooleanExpression }
  | { readonly kind: 'wrap-signed'; readonly operand: DataExpression; readonly width: number }
  | { readonly kind: 'clamp-unsigned'; readonly operand: DataExpression; readonly width: number }
  | { readonly kind: 'clamp-signed'; readonly operand: DataExpression; readonly width: number }
  | { readonly kind: 'stack-last-index'; readonly stack: number }
  | { readonly kind: 'stack-count'; readonly stack: number }
  | { readonly kind: 'union-stack-last-index'; readonly unionStack: number }
  | { readonly kind: 'union-stack-count'; readonly unionStack: number };

export type BooleanExpression =
  | { readonly kind: 'boolean-constant'; readonly value: boolean }
  | { readonly kind: 'valid'; readonly header: HeaderExpression }
  | { readonly kind: 'data-to-boolean'; readonly operand: DataExpression }
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: DataExpression;
      readonly right: DataExpression;
    }
  | {
      readonly kind: 'compare-booleans';
      readonly equal: boolean;
      readonly left: BooleanExpression;
      readonly right: BooleanExpression;
    }
  /** Equal means: both valid, of one type, and all fields equal. */
  | {
      readonly kind: 'compare-headers';
      readonly equal: boolean;
      readonly left: HeaderExpression;
      readonly right: HeaderExpression;
    }
  /** One member of the union is valid. */
  | { readonly kind: 'valid-union'; readonly union: UnionExpression }
  /** Equal means: the same member is valid in both, and equal. */
  | {
      readonly kind: 'compare-unions';
      readonly equal: boolean;
      readonly left: UnionExpression;
      readonly right: UnionExpression;
    }
  | { readonly kind: 'not'; readonly operand: BooleanExpression }
  | {
      readonly kind: 'and' | 'or';
      readonly left: BooleanExpression;
      readonly right: BooleanExpression;
    };

/** Result of lowering an operand whose type is not known beforehand. */
export type TypedExpression =
  | { readonly type: 'data'; readonly node: DataExpression }
  | { readonly type: 'boolean'; readonly node: BooleanExpression }
  | { readonly type: 'header'; readonly node: HeaderExpression }
  | { readonly type: 'stack'; readonly stack: number }
  | { readonly type: 'union'; readonly node: UnionExpression }
  | { readonly type: 'union-stack'; readonly unionStack: number };
