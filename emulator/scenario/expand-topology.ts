import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';
import { expandFabric } from './fabric';
import type { FabricDocument } from './fabric';
import type { Participant } from '../workload/workload-kind';
import type { TopologyDocument } from './schema';

export interface PlainLink {
  readonly a: string;
  readonly b: string;
  readonly rateGbps: number;
  readonly delayNs: number;
  /** Rate from `b` to `a`; that of the other direction unless given. */
  readonly backRateGbps?: number | undefined;
  /** Delay from `b` to `a`; that of the other direction unless given. */
  readonly backDelayNs?: number | undefined;
  readonly lossRate: number;
  /** True inside of a server, where no load of the network is. */
  readonly isLocal?: boolean;
}

/** A topology as lists of names and links, whatever family it was written as. */
export interface PlainTopology {
  readonly switches: readonly string[];
  readonly hosts: readonly string[];
  readonly links: readonly PlainLink[];
}

/** Hosts are `h1`…, switches `s1`… or, in a leaf-spine fabric, `leaf1`… and `spine1`…. */
export function expandTopology(document: TopologyDocument): PlainTopology {
  switch (document.kind) {
    case 'star':
      return star(document);
    case 'dumbbell':
      return dumbbell(document);
    case 'leaf-spine':
      return leafSpine(document);
    case 'custom':
      return {
        switches: document.switches,
        hosts: document.hosts,
        links: document.links.map(({ between: [a, b], ...link }) => ({ a, b, ...link })),
      };
    case 'four-layers':
    case 'clos':
    case 'fat-tree':
    case 'dragonfly-plus':
    case 'torus':
    case 'rails':
    case 'planes':
      return fabric(document);
    default:
      return unreachable(document);
  }
}

/** The hosts with the rates at which they can send into the network; a host with several links has the sum. */
export function participantsOf({ hosts, links }: PlainTopology): Participant[] {
  const rates = new Map(hosts.map((name) => [name, 0]));
  const add = (host: string, gbps: number): void => {
    const rate = rates.get(host);
    if (rate !== undefined) rates.set(host, rate + gbps);
  };
  for (const { a, b, rateGbps, backRateGbps = rateGbps, isLocal } of links) {
    if (isLocal === true) continue;
    add(a, rateGbps);
    add(b, backRateGbps);
  }
  return [...rates].map(([name, rateGbps]) => ({ name, rateGbps }));
}

function fabric(document: FabricDocument): PlainTopology {
  const { rateGbps, fabricRateGbps = rateGbps, delayNs } = document;
  const { switches, hosts, links } = expandFabric(document);
  const slow = new Map(document.slowLinks.map((each) => [each.between.join(), each]));
  const plain = links.map(({ a, b, isEdge, local }) => {
    const usual = local ?? { rateGbps: isEdge ? rateGbps : fabricRateGbps, delayNs };
    const own = slow.get([a, b].join());
    return {
      a,
      b,
      rateGbps: own?.rateGbps ?? usual.rateGbps,
      delayNs: usual.delayNs,
      backRateGbps: own?.backRateGbps,
      lossRate: 0,
      isLocal: local !== undefined,
    };
  });
  for (const { between } of document.slowLinks) {
    if (links.some(({ a, b }) => a === between[0] && b === between[1])) continue;
    throw new InputError(`slowLinks: no link of the fabric leads from ${between.join(' up to ')}`);
  }
  return { switches, hosts, links: plain };
}

type Family<Kind> = Extract<TopologyDocument, { kind: Kind }>;

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);

function star({ hosts, rateGbps, delayNs }: Family<'star'>): PlainTopology {
  const hostNames = names('h', hosts);
  const links = hostNames.map((b) => ({ a: 's1', b, rateGbps, delayNs, lossRate: 0 }));
  return { switches: ['s1'], hosts: hostNames, links };
}

function dumbbell(document: Family<'dumbbell'>): PlainTopology {
  const { left, right, rateGbps, delayNs, trunkRateGbps = rateGbps } = document;
  const hosts = names('h', left + right);
  const links = hosts.map((b, i) => ({
    a: i < left ? 's1' : 's2',
    b,
    rateGbps,
    delayNs,
    lossRate: 0,
  }));
  const trunk = { a: 's1', b: 's2', rateGbps: trunkRateGbps, delayNs, lossRate: 0 };
  return { switches: ['s1', 's2'], hosts, links: [...links, trunk] };
}

function leafSpine(document: Family<'leaf-spine'>): PlainTopology {
  const { hostsPerLeaf, rateGbps, delayNs, fabricRateGbps = rateGbps } = document;
  const leaves = names('leaf', document.leaves);
  const spines = names('spine', document.spines);
  const hosts = names('h', document.leaves * hostsPerLeaf);
  const hostLinks = hosts.map((b, i) => ({
    a: leaves[Math.floor(i / hostsPerLeaf)] ?? '',
    b,
    rateGbps,
    delayNs,
    lossRate: 0,
  }));
  const fabric = leaves.flatMap((a) =>
    spines.map((b) => ({ a, b, rateGbps: fabricRateGbps, delayNs, lossRate: 0 })),
  );
  return { switches: [...leaves, ...spines], hosts, links: [...hostLinks, ...fabric] };
}
