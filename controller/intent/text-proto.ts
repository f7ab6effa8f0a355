/** A value in the text form of Protocol Buffers; a symbol is the name of an enumeration's value. */
export type TextValue =
  number | boolean | string | { readonly symbol: string } | TextMessage | readonly TextMessage[];

export interface TextMessage {
  readonly [field: string]: TextValue;
}

/**
 * Writes a message in the text form of Protocol Buffers, a field per line, with lists as fields that are
 * repeated.
 */
export function textProto(fields: readonly (readonly [string, TextValue])[]): string {
  return `${fields.flatMap(([name, value]) => fieldLines(name, value)).join('\n')}\n`;
}

function fieldLines(name: string, value: TextValue): readonly string[] {
  if (isList(value)) return value.flatMap((each) => fieldLines(name, each));
  if (typeof value !== 'object') return [`${name}: ${scalarText(value)}`];
  if (isSymbol(value)) return [`${name}: ${value.symbol}`];
  const inner = Object.entries(value).flatMap(([key, each]) => fieldLines(key, each));
  return [`${name} {`, ...inner.map((line) => `  ${line}`), '}'];
}

/** JSON escapes what the text form escapes, and no other way for the characters that a name may have. */
const scalarText = (value: number | boolean | string): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value);

const isList = (value: TextValue): value is readonly TextMessage[] => Array.isArray(value);

const isSymbol = (value: object): value is { readonly symbol: string } =>
  typeof (value as { symbol?: unknown }).symbol === 'string';
