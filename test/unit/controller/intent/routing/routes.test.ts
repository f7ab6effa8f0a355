import * as fc from 'fast-check';
import type { Topology } from '../../../../../common/topology/topology';
import { attachments } from '../../../../../common/topology/topology';
import { shortestRoutes } from '../../../../../controller/intent/routing/routes';
import { hostNode, leafSpine, line, link, switchNode } from '../../../../support/topologies';

const hops = (topology: Topology, name: string): Record<string, number[]> =>
  Object.fromEntries(
    (shortestRoutes(topology).get(name) ?? []).map(({ host, nextHops }) => [
      host,
      nextHops.map((each) => each.port),
    ]),
  );

describe('shortest routes', () => {
  test('in a line there is one way', () => {
    expect(hops(line(), 's1')).toEqual({ h1: [1], h2: [2] });
    expect(hops(line(), 's2')).toEqual({ h1: [2], h2: [1] });
  });

  test('between leaves all spines are equal, and spines go straight down', () => {
    expect(hops(leafSpine(), 's1')).toEqual({ h1: [1], h2: [2], h3: [3, 4], h4: [3, 4] });
    expect(hops(leafSpine(), 's3')).toEqual({ h1: [1], h2: [1], h3: [2], h4: [2] });
  });

  test('parallel links share the load', () => {
    const topology = { ...line(), links: [...line().links, link('s1:3-s2:3')] };
    expect(hops(topology, 's1')).toEqual({ h1: [1], h2: [2, 3] });
  });

  test('a longer way is not taken', () => {
    const triangle: Topology = {
      name: 'triangle',
      switches: [1, 2, 3].map(switchNode),
      hosts: [hostNode(1), hostNode(2)],
      links: ['h1:0-s1:1', 'h2:0-s2:1', 's1:2-s2:2', 's1:3-s3:1', 's3:2-s2:3'].map(link),
    };
    expect(hops(triangle, 's1')).toEqual({ h1: [1], h2: [2] });
    expect(hops(triangle, 's3')).toEqual({ h1: [1], h2: [2] });
  });

  test('along any route every packet reaches its host, one hop nearer at every switch', () => {
    const edges = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(edges, fc.nat(), (pairs, choice) => {
        const topology = tangled(pairs);
        const routes = shortestRoutes(topology);
        for (const { name } of topology.switches) {
          for (const { host } of routes.get(name) ?? []) {
            expect(walk(routes, name, host, choice)).toBeLessThanOrEqual(topology.switches.length);
          }
        }
      }),
    );
  });
});

/** A ring of six switches with a host each, and further links between the pairs. */
function tangled(pairs: readonly (readonly [number, number])[]): Topology {
  const numbers = [1, 2, 3, 4, 5, 6];
  const ring = numbers.map((n) => link(`s${n}:1-s${(n % 6) + 1}:2`));
  const extra = pairs.filter(([a, b]) => a !== b);
  return {
    name: 'tangle',
    switches: numbers.map(switchNode),
    hosts: numbers.map(hostNode),
    links: [
      ...ring,
      ...numbers.map((n) => link(`h${n}:0-s${n}:3`)),
      ...extra.map(([a, b], i) => link(`s${a}:${10 + i}-s${b}:${10 + i}`)),
    ],
  };
}

/** Hops from a switch to a host, choosing among equal ones by `choice`. */
function walk(
  routes: ReturnType<typeof shortestRoutes>,
  from: string,
  host: string,
  choice: number,
): number {
  let node = from;
  for (let count = 1; count < 20; count++) {
    const nextHops = routes.get(node)?.find((each) => each.host === host)?.nextHops ?? [];
    const next = nextHops[(choice + count) % nextHops.length];
    if (next === undefined) return 20;
    node = next.peer.node;
    if (node === host) return count;
  }
  return 20;
}

test('attachments and routes agree on ports', () => {
  const ports = attachments(leafSpine())
    .get('s2')
    ?.map((each) => each.port);
  const used = (shortestRoutes(leafSpine()).get('s2') ?? []).flatMap(({ nextHops }) =>
    nextHops.map((each) => each.port),
  );
  expect(used.every((port) => ports?.includes(port))).toBe(true);
});
