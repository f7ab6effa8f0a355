import type { Ipv6Address } from '../../wire/ip/ipv6';

/** Dotted decimal. */
export const ipv4Text = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');

/** The canonical form of RFC 5952: the longest run of two or more zero groups becomes `::`. */
export function ipv6Text(address: Ipv6Address): string {
  const groups = address.flatMap((word) => [word >>> 16, word & 0xffff]);
  const run = longestZeroRun(groups);
  const hex = (part: readonly number[]): string =>
    part.map((group) => group.toString(16)).join(':');
  if (run.length < 2) return hex(groups);
  return `${hex(groups.slice(0, run.at))}::${hex(groups.slice(run.at + run.length))}`;
}

function longestZeroRun(groups: readonly number[]): { at: number; length: number } {
  let best = { at: 0, length: 0 };
  let length = 0;
  groups.forEach((group, i) => {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { at: i + 1 - length, length };
  });
  return best;
}
