import type { Value } from './value';

/** Match of one key field. A field that does not matter is left out. */
export type FieldMatch =
  | { readonly exact: Value }
  /** Value and prefix length. */
  | { readonly lpm: readonly [Value, number] }
  /** Value and mask. */
  | { readonly ternary: readonly [Value, Value] }
  /** Low and high end, both included. */
  | { readonly range: readonly [Value, Value] }
  | { readonly optional: Value };

/**
 * Matches by field name. A bare value is read as the field's match kind wants it: `10.0.0.0/8`,
 * `0x10&&&0xf0`, `1..1023`; without such a mark, exactly this value. What a switch has sent comes
 * as {@link FieldMatch}.
 */
export type Match = Readonly<Record<string, FieldMatch | Value>>;

/** Key of a table entry. */
export interface EntryKey {
  readonly table: string;
  readonly match: Match;
  /** Above 0 exactly where the table has ternary, range or optional fields; larger wins. */
  readonly priority: number;
}

/** One match as text: `10.0.0.0/8`, `0x10&&&0xf0`, `1..1023`, or the value itself. */
export function describeMatch(match: FieldMatch | Value): string {
  if (typeof match !== 'object') return String(match);
  if ('exact' in match) return String(match.exact);
  if ('optional' in match) return String(match.optional);
  if ('lpm' in match) return match.lpm.join('/');
  if ('ternary' in match) return match.ternary.join('&&&');
  return match.range.join('..');
}
