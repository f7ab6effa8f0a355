import type { Link, Topology } from '../../common/topology/topology';
import { PS_PER_US } from '../../common/units/units';
import type { Result } from './result';

/** The network as results have it. */
export const topologyRecord = ({ switches, hosts, links }: Topology): Result['topology'] => ({
  nodes: [
    ...switches.map(({ name }) => ({ name, kind: 'switch' as const })),
    ...hosts.map(({ name }) => ({ name, kind: 'host' as const })),
  ],
  links: links.map(linkRecord),
});

const linkRecord = ({ a, b, rate, delay, backRate, backDelay }: Link) => ({
  a: a.node,
  b: b.node,
  rateGbps: rate / 1e9,
  delayUs: delay / PS_PER_US,
  ...(backRate !== undefined && { backRateGbps: backRate / 1e9 }),
  ...(backDelay !== undefined && { backDelayUs: backDelay / PS_PER_US }),
});
