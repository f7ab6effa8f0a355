/** Fields that have a value; undefined if none has one, so that hops without more carry nothing. */
export function definedFields<Value>(
  all: Readonly<Record<string, Value | undefined>>,
): Readonly<Record<string, Value>> | undefined {
  let fields: Record<string, Value> | undefined;
  for (const name in all) {
    const value = all[name];
    if (value !== undefined) (fields ??= {})[name] = value;
  }
  return fields;
}

/** Eight hexadecimal digits. */
export const wordHex = (word: number): string => `0x${word.toString(16).padStart(8, '0')}`;

/** Words without a meaning of their own, parted by spaces; undefined where there are none. */
export const wordsHex = (words: readonly number[] | undefined): string | undefined =>
  words === undefined || words.length === 0 ? undefined : words.map(wordHex).join(' ');

/** Bytes as hexadecimal digits; undefined where there are none. */
export const bytesHex = (bytes: Uint8Array): string | undefined =>
  bytes.length === 0
    ? undefined
    : Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
