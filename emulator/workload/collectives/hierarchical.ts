import { InputError } from '../../../common/errors';
import type { Algorithm, Collective, Messages } from './collective';
import { partBytes, partStart } from './collective';
import { ringAllGather, ringAllReduce, ringReduceScatter } from './ring';

/** Ranks of each host, the same number of each. */
function byHost({ hosts, operation }: Collective): number[][] {
  const groups = new Map<string, number[]>();
  hosts.forEach((host, rank) => groups.set(host, [...(groups.get(host) ?? []), rank]));
  const rows = [...groups.values()];
  const sizes = new Set(rows.map(({ length }) => length));
  if (sizes.size === 1) return rows;
  const found = [...sizes].sort((a, b) => a - b).join(' and ');
  throw new InputError(
    `hierarchical ${operation} needs as many ranks on each host, found ${found}`,
  );
}

/** Messages that each rank has got, by rank: all of them, since one phase waits for the other. */
type Got = Map<number, number[]>;

interface Phase {
  readonly collective: Collective;
  readonly members: readonly number[];
  readonly bytes: number;
  readonly algorithm: Algorithm;
}

/** A collective among some of the ranks, each of which begins when it has got what `before` says. */
function phase(messages: Messages, before: Got, got: Got, part: Phase): void {
  const { members, bytes, algorithm, collective } = part;
  const own = members.map((): number[] => []);
  algorithm(
    { ...collective, ranks: members.length, bytes, hosts: [] },
    {
      send(from, to, size, after = []) {
        const [a, b] = [members[from] as number, members[to] as number];
        const number = messages.send(a, b, size, [...after, ...(before.get(a) ?? [])]);
        own[to]?.push(number);
        return number;
      },
    },
  );
  members.forEach((rank, i) => got.set(rank, [...(before.get(rank) ?? []), ...(own[i] ?? [])]));
}

/** Inside the hosts, between hosts among ranks of equal place, and inside again, as far as given. */
function inPhases(
  collective: Collective,
  messages: Messages,
  phases: readonly { readonly where: 'inside' | 'between'; readonly algorithm: Algorithm }[],
): void {
  const rows = byHost(collective);
  const width = rows[0]?.length ?? 1;
  const columns = Array.from({ length: width }, (_, i) => rows.map((row) => row[i] as number));
  let before: Got = new Map();
  for (const { where, algorithm } of phases) {
    const got: Got = new Map();
    const groups = where === 'inside' ? rows : columns;
    groups.forEach((members, i) => {
      if (members.length === 1) {
        const [only] = members as [number];
        got.set(only, before.get(only) ?? []);
        return;
      }
      const bytes = where === 'inside' ? collective.bytes : partBytes(collective.bytes, width, i);
      phase(messages, before, got, { collective, members, bytes, algorithm });
    });
    before = got;
  }
}

export const hierarchicalAllReduce: Algorithm = (collective, messages) =>
  inPhases(collective, messages, [
    { where: 'inside', algorithm: ringReduceScatter },
    { where: 'between', algorithm: ringAllReduce },
    { where: 'inside', algorithm: ringAllGather },
  ]);

export const hierarchicalAllGather: Algorithm = (collective, messages) =>
  inPhases(collective, messages, [
    { where: 'between', algorithm: ringAllGather },
    { where: 'inside', algorithm: ringAllGather },
  ]);

export const hierarchicalReduceScatter: Algorithm = (collective, messages) =>
  inPhases(collective, messages, [
    { where: 'inside', algorithm: ringReduceScatter },
    { where: 'between', algorithm: ringReduceScatter },
  ]);

/**
 * Inside its host a rank first gives each neighbour what is for ranks of that neighbour's place; then ranks of
 * equal place exchange between hosts, so that no message crosses from one place to another in the network.
 */
export const hierarchicalAllToAll: Algorithm = (collective, messages) => {
  const { ranks, bytes } = collective;
  const rows = byHost(collective);
  const hosts = rows.length;
  const got = new Map<number, number[]>();
  for (const row of rows) {
    row.forEach((from, i) =>
      row.forEach((to, j) => {
        if (i === j) return;
        const size = Math.round((bytes * hosts) / ranks);
        got.set(to, [...(got.get(to) ?? []), messages.send(from, to, size)]);
      }),
    );
  }
  for (let round = 1; round < hosts; round++) {
    rows.forEach((row, host) => {
      const other = rows[(host + round) % hosts] as number[];
      const size = partStart(bytes, hosts, 1);
      row.forEach((from, i) => messages.send(from, other[i] as number, size, got.get(from)));
    });
  }
};
