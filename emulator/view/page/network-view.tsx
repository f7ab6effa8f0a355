import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DirectedLink, Network, PlacedNode } from '../data/network';
import { LOAD_STEPS, followScheme, loadStyle } from './palette';
import type { Moment } from './moment';

const ROW = 104;
const TOP = 30;
const BOTTOM = 62;
/** Links of one direction lie beside those of the other. */
const GAP = 3.2;
/** Part of a link that the longest queue covers. */
const BAR = 0.6;
const LABELS_MAX = 120;
/** Room at both sides for names that are turned. */
const MARGIN = 16;
/** Hosts that stand closer have turned names; closer than the second, not each of them has one. */
const TIGHT = 34;
const NAME_WIDTH = 13;

interface Drawn {
  readonly link: DirectedLink;
  readonly from: Point;
  readonly to: Point;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The network at the reader's instant: links by load, and a bar where packets wait. */
export function NetworkView({
  network,
  moment,
}: {
  readonly network: Network;
  readonly moment: Moment;
}) {
  const box = useRef<HTMLDivElement>(null);
  const links = useRef<SVGGElement>(null);
  const [width, setWidth] = useState(1000);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const drawn = useMemo(() => placed(network, width), [network, width]);
  useEffect(() => followLoads({ network, moment, group: links.current, drawn }), [drawn, moment]);
  const height = TOP + (network.rows - 1) * ROW + BOTTOM;
  return (
    <section aria-labelledby="network-title">
      <h2 id="network-title">Network</h2>
      <p class="caption">
        Links by load, a line per direction; a bar at a port is the queue that waits there.
        {network.linksOmitted > 0 &&
          ` The ${network.links.length} busiest of ${network.links.length + network.linksOmitted} directions.`}
      </p>
      <div ref={box}>
        <svg
          class="network"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={`${network.nodes.length} nodes and ${network.links.length} directions of links at the chosen instant; the table below has them in words`}
        >
          <g ref={links}>
            {drawn.map(({ link, from, to }) => (
              <g key={link.name}>
                <line class="link" x1={from.x} y1={from.y} x2={to.x} y2={to.y}>
                  <title>{link.name}</title>
                </line>
                <line class="waiting" x1={from.x} y1={from.y} x2={from.x} y2={from.y} />
              </g>
            ))}
          </g>
          {network.nodes.map((node) => (
            <NodeView key={node.name} node={node} network={network} width={width} />
          ))}
        </svg>
      </div>
      <LoadLegend />
      <PortList network={network} moment={moment} />
    </section>
  );
}

const pointOf = ({ x, row }: PlacedNode, width: number): Point => ({
  x: MARGIN + x * (width - 2 * MARGIN),
  y: TOP + row * ROW,
});

function placed({ nodes, links }: Network, width: number): Drawn[] {
  return links.flatMap((link): Drawn[] => {
    const [a, b] = [nodes[link.from], nodes[link.to]];
    if (a === undefined || b === undefined) return [];
    const [from, to] = [pointOf(a, width), pointOf(b, width)];
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(-(to.y - from.y) / length) * GAP, ((to.x - from.x) / length) * GAP];
    const beside = ({ x, y }: Point): Point => ({ x: x + dx, y: y + dy });
    return [{ link, from: beside(from), to: beside(to) }];
  });
}

function NodeView({
  node,
  network,
  width,
}: {
  readonly node: PlacedNode;
  readonly network: Network;
  readonly width: number;
}) {
  const { x, y } = pointOf(node, width);
  const inRow = network.nodes.filter(({ row }) => row === node.row);
  const room = (width - 2 * MARGIN) / inRow.length;
  const isTight = room < TIGHT;
  const each = Math.ceil(NAME_WIDTH / room);
  const hasLabel = network.nodes.length <= LABELS_MAX && inRow.indexOf(node) % each === 0;
  if (node.kind === 'switch') {
    return (
      <g class="switch">
        <rect x={x - 22} y={y - 13} width="44" height="26" rx="5" />
        <text x={x} y={y + 4} text-anchor="middle">
          {network.nodes.length <= LABELS_MAX ? node.name : ''}
        </text>
      </g>
    );
  }
  const turned = isTight ? { transform: `rotate(-60 ${x} ${y + 24})`, 'text-anchor': 'end' } : {};
  return (
    <g class="host">
      <circle cx={x} cy={y} r={isTight ? 4 : 7} />
      {hasLabel && (
        <text x={x} y={y + 24} text-anchor="middle" {...turned}>
          {node.name}
        </text>
      )}
    </g>
  );
}

interface Following {
  readonly network: Network;
  readonly moment: Moment;
  readonly group: SVGGElement | null;
  readonly drawn: readonly Drawn[];
}

/** Changes attributes alone, and those only where a value has changed. */
function followLoads({ network, moment, group, drawn }: Following): () => void {
  if (group === null) return () => undefined;
  const lines = [...group.children].map((each) => [...each.children] as SVGLineElement[]);
  let shown = -1;
  const before = drawn.map(() => '');
  const show = (): void => {
    const interval = intervalAt(network, moment.look.nowUs);
    if (interval === shown) return;
    shown = interval;
    drawn.forEach(({ link, from, to }, i) => {
      const [line, bar] = lines[i] ?? [];
      if (line === undefined || bar === undefined) return;
      const { color, width } = loadStyle(link.load[interval] ?? 0);
      const queueBytes = link.queueBytes[interval] ?? 0;
      const looks = `${color} ${queueBytes}`;
      // PERF: what stays as it is need not be drawn again.
      if (before[i] === looks) return;
      before[i] = looks;
      line.setAttribute('stroke', color);
      line.setAttribute('stroke-width', String(width));
      const share = (BAR * queueBytes) / network.queuePeakBytes;
      bar.setAttribute('x2', String(from.x + (to.x - from.x) * share));
      bar.setAttribute('y2', String(from.y + (to.y - from.y) * share));
      bar.style.display = share > 0 ? '' : 'none';
    });
  };
  show();
  const ends = [
    moment.follow(show),
    followScheme(() => {
      shown = -1;
      show();
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** The interval that holds an instant, of those that there are. */
export function intervalAt({ links, intervalUs }: Network, us: number): number {
  const count = links[0]?.load.length ?? 1;
  return Math.min(count - 1, Math.max(0, Math.floor(us / intervalUs)));
}

const LoadLegend = () => (
  <ul class="legend loads" aria-label="Load of links">
    {LOAD_STEPS.map(([load, text]) => {
      const { color, width } = loadStyle(load);
      return (
        <li key={text}>
          <svg class="swatch" viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
            <line x1={0} y1={4} x2={20} y2={4} stroke={color} stroke-width={width} />
          </svg>
          {text}
        </li>
      );
    })}
    <li>
      <svg class="swatch" viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
        <line class="waiting" x1={0} y1={4} x2={20} y2={4} />
      </svg>
      queue
    </li>
  </ul>
);

const PORTS_SHOWN = 8;

/** The busiest directions at the instant, in words. */
function PortList({ network, moment }: { readonly network: Network; readonly moment: Moment }) {
  const [isOpen, setOpen] = useState(false);
  const [interval, setInterval] = useState(intervalAt(network, moment.look.nowUs));
  useEffect(() => {
    // PERF: folded parts are not drawn.
    if (!isOpen) return undefined;
    const show = (): void => setInterval(intervalAt(network, moment.look.nowUs));
    show();
    return moment.follow(show);
  }, [network, moment, isOpen]);
  const busiest = (isOpen ? [...network.links] : [])
    .map(({ name, load, queueBytes }) => ({
      name,
      load: load[interval] ?? 0,
      queue: queueBytes[interval] ?? 0,
    }))
    .sort((a, b) => b.queue - a.queue || b.load - a.load)
    .slice(0, PORTS_SHOWN);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The busiest ports at this instant, in words</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">link</th>
            <th scope="col">load</th>
            <th scope="col">queue (KB)</th>
          </tr>
        </thead>
        <tbody>
          {busiest.map(({ name, load, queue }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{(load / 10).toFixed(1)} %</td>
              <td>{(queue / 1000).toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
