/**
 * A message before its schema is known: what the text form says, and what the JSON form is brought
 * into, so that one encoder serves both.
 */
export type TreeValue =
  /** A number, enum member or boolean, as it was written. */
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'message'; readonly fields: readonly TreeField[] };

export interface TreeField {
  readonly name: string;
  readonly value: TreeValue;
  /** Where the field was read, for error messages: "line 12" or a JSON path. */
  readonly where: string;
}
