import type { HostNode, Link, SwitchNode, Topology } from '../../common/topology/topology';
import { gigabitsPerSecond, microseconds } from '../../common/units/units';

/** A switch named `s<n>` whose ids are n. */
export function switchNode(n: number): SwitchNode {
  const units = { clockUnitNs: 1000, queueDepthUnitBytes: 1500 };
  return { name: `s${n}`, deviceId: n, nodeId: n, ...units };
}

/** A host named `h<n>` with the address 10.0.0.n. */
export function hostNode(n: number): HostNode {
  return { name: `h${n}`, ipv4: 0x0a000000 + n, mac: 0x0201_0000_0000 + n };
}

/** A link of 100 Gb/s and 1 us, written `node:port-node:port`. */
export function link(text: string): Link {
  const [a, b] = text.split('-').map((end) => {
    const [node = '', port = ''] = end.split(':');
    return { node, port: Number(port) };
  });
  if (a === undefined || b === undefined) throw new Error(`'${text}' is not a link`);
  return { a, b, rate: gigabitsPerSecond(100), delay: microseconds(1) };
}

/** h1 - s1 - s2 - h2 */
export function line(): Topology {
  return {
    name: 'line',
    switches: [switchNode(1), switchNode(2)],
    hosts: [hostNode(1), hostNode(2)],
    links: ['h1:0-s1:1', 's1:2-s2:2', 's2:1-h2:0'].map(link),
  };
}

/**
 * Two leaves s1 and s2 with two hosts each, under two spines s3 and s4:
 * hosts at ports 1 and 2 of their leaf, spines at ports 3 and 4.
 */
export function leafSpine(): Topology {
  return {
    name: 'leaf-spine',
    switches: [1, 2, 3, 4].map(switchNode),
    hosts: [1, 2, 3, 4].map(hostNode),
    links: [
      'h1:0-s1:1',
      'h2:0-s1:2',
      'h3:0-s2:1',
      'h4:0-s2:2',
      's1:3-s3:1',
      's1:4-s4:1',
      's2:3-s3:2',
      's2:4-s4:2',
    ].map(link),
  };
}
