/**
 * Bytes that throw when anything outside `0..length-1` is read: an array of bytes would answer
 * `undefined`, which most arithmetic takes for zero without a word.
 */
export function checkedBytes(bytes: Uint8Array): Uint8Array {
  return new Proxy(bytes, {
    get(target, key) {
      if (key === 'length') return target.length;
      if (typeof key === 'string' && isIndex(key)) return byteAt(target, Number(key));
      if (key === 'subarray') return checkedSubarray(target);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const isIndex = (key: string): boolean => {
  const first = key.charCodeAt(0);
  return (first >= 48 && first <= 57) || first === 45;
};

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError(`read of byte ${at} of ${bytes.length}`);
  return byte;
}

const checkedSubarray =
  (bytes: Uint8Array) =>
  (start = 0, end = bytes.length): Uint8Array => {
    if (start < 0 || end > bytes.length || start > end) {
      throw new RangeError(`bytes ${start} to ${end} of ${bytes.length}`);
    }
    return checkedBytes(bytes.subarray(start, end));
  };
