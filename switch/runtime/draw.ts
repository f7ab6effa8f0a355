import type { Random } from '../../common/random/random';

/** A number between both bounds, which are included; the bias is below 2^-64 of the range. */
export function drawBetween(low: bigint, high: bigint, random: Random | undefined): bigint {
  if (random === undefined) return low;
  const draw = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  return low + ((draw * (high - low + 1n)) >> 64n);
}
