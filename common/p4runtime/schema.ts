/**
 * Descriptions of messages for readers of the text and JSON forms, since generated classes know
 * only the binary form. generated/schema.ts holds these records for every message of our protocol
 * files.
 */
export type ScalarType = 'bool' | 'string' | 'bytes' | 'int32' | 'uint32' | 'int64' | 'uint64';

interface FieldBase {
  /** Name in the protocol file and in the text form. */
  readonly name: string;
  /** Name in the JSON form, which also accepts `name`. */
  readonly jsonName: string;
  readonly number: number;
  readonly repeated: boolean;
}

export type FieldSchema =
  | (FieldBase & { readonly kind: 'scalar'; readonly type: ScalarType })
  | (FieldBase & { readonly kind: 'enum'; readonly type: string })
  /** `map` marks a map field: its messages are entries with the fields `key` and `value`. */
  | (FieldBase & { readonly kind: 'message'; readonly type: string; readonly map: boolean });

export interface Schema {
  /** Fields of each message, by its full name without a leading dot. */
  readonly messages: Readonly<Record<string, readonly FieldSchema[]>>;
  /** Numbers of each enum's members, by its full name. */
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
