import type { NetworkText } from '../../controller/document/schema';

const LEAVES = 24;
const SPINES = 8;
const HOSTS_PER_LEAF = 12;

export const LEAF_SPINE_SWITCHES = LEAVES + SPINES;

/**
 * The document of 24 leaves with 12 hosts each below 8 spines.
 * @param addresses of the switches' P4Runtime servers: those of the leaves, then those of the spines.
 */
export function leafSpine(addresses: readonly string[]): NetworkText {
  const leaf = (i: number): string => `leaf${i + 1}`;
  const spine = (i: number): string => `spine${i + 1}`;
  const times = <T>(n: number, make: (i: number) => T): T[] =>
    Array.from({ length: n }, (_, i) => make(i));
  const names = [...times(LEAVES, leaf), ...times(SPINES, spine)];
  const hosts = times(LEAVES * HOSTS_PER_LEAF, (i) => `h${i + 1}`);
  const down = hosts.map((name, i) => ({
    between: [name, `${leaf(Math.floor(i / HOSTS_PER_LEAF))}:${(i % HOSTS_PER_LEAF) + 1}`],
  }));
  const up = times(LEAVES, (l) =>
    times(SPINES, (s) => ({
      between: [`${leaf(l)}:${HOSTS_PER_LEAF + s + 1}`, `${spine(s)}:${l + 1}`],
    })),
  ).flat();
  return {
    network: 'bench',
    switches: names.map((name, i) => ({ name, address: addresses[i] ?? '' })),
    hosts: hosts.map((name) => ({ name })),
    links: [...down, ...up].map(({ between: [a = '', b = ''] }) => {
      return { between: [a, b], rate: '100 Gb/s' };
    }),
  };
}
