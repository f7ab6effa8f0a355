import type { Result } from '../result/result';
import type { Chart } from './page';
import { rateScale } from './scale';

type Topology = Result['topology'];

const ROW_HEIGHT = 110;
const WIDTH = 1000;

/** The network in rows: hosts below, the switches next to them above, and so on upwards. */
export function topologyChart({ topology, bottleneck }: Result): Chart {
  const tiers = tiersOf(topology);
  const rows = Math.max(...tiers.values()) + 1;
  const places = placesOf(topology, tiers);
  const nodes = topology.nodes.map((node) => ({
    name: node.name,
    ...(places.get(node.name) ?? { x: 0, y: 0 }),
    symbol: node.kind === 'switch' ? 'rect' : 'circle',
    symbolSize: node.kind === 'switch' ? [46, 26] : topology.nodes.length > 60 ? 8 : 18,
    category: node.kind === 'switch' ? 0 : 1,
  }));
  return {
    id: 'topology',
    title: 'Topology',
    caption: `Hosts in the lowest row; the bottleneck link, ${bottleneck.link}, is red.`,
    heightPx: 80 + rows * ROW_HEIGHT,
    option: {
      animation: false,
      tooltip: {},
      legend: { data: ['switch', 'host'], top: 0 },
      series: [
        {
          type: 'graph',
          layout: 'none',
          roam: true,
          label: { show: topology.nodes.length <= 60 },
          categories: [{ name: 'switch' }, { name: 'host' }],
          data: nodes,
          links: linksOf(topology, bottleneck.link),
        },
      ],
    },
  };
}

function linksOf(topology: Topology, bottleneck: string): object[] {
  const [from, to] = bottleneck.split('->').map((end) => end.split(':')[0]);
  const isBottleneck = (a: string, b: string): boolean =>
    (a === from && b === to) || (a === to && b === from);
  const { unit, factor } = rateScale({ topology });
  return topology.links.map((link) => ({
    source: link.a,
    target: link.b,
    value: `${link.rateGbps / factor} ${unit}, ${link.delayUs} us`,
    lineStyle: isBottleneck(link.a, link.b) ? { color: '#c0392b', width: 4 } : { width: 1.5 },
  }));
}

/** Distance from the nearest host, 0 for hosts. */
function tiersOf(topology: Topology): Map<string, number> {
  const tiers = new Map<string, number>();
  let frontier = topology.nodes.filter((node) => node.kind === 'host').map((node) => node.name);
  for (let tier = 0; frontier.length > 0; tier++) {
    for (const name of frontier) tiers.set(name, tier);
    frontier = topology.links
      .flatMap(({ a, b }) => [
        [a, b],
        [b, a],
      ])
      .filter(([near, far]) => frontier.includes(near ?? '') && !tiers.has(far ?? ''))
      .map(([, far]) => far ?? '');
  }
  return tiers;
}

function placesOf(
  topology: Topology,
  tiers: ReadonlyMap<string, number>,
): Map<string, { x: number; y: number }> {
  const rows = new Map<number, string[]>();
  for (const name of namesInOrder(topology)) {
    const tier = tiers.get(name) ?? 0;
    rows.set(tier, [...(rows.get(tier) ?? []), name]);
  }
  const top = Math.max(...rows.keys());
  const places = new Map<string, { x: number; y: number }>();
  for (const [tier, names] of rows) {
    names.forEach((name, i) => {
      const x = ((i + 0.5) * WIDTH) / names.length;
      places.set(name, { x, y: (top - tier) * ROW_HEIGHT });
    });
  }
  return places;
}

/** Switches as they are, then hosts, those of one switch side by side: their links do not cross. */
function namesInOrder({ nodes, links }: Topology): string[] {
  const switches = nodes.filter(({ kind }) => kind === 'switch').map(({ name }) => name);
  const hosts = nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  const placeOf = (host: string): number => {
    const link = links.find(({ a, b }) => a === host || b === host);
    return switches.indexOf((link?.a === host ? link.b : link?.a) ?? '');
  };
  const places = new Map(hosts.map((host) => [host, placeOf(host)]));
  hosts.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  return [...switches, ...hosts];
}
