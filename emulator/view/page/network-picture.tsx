import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DrawnNode, Network, NetworkGroup } from '../network/network';
import type { Series } from '../network/network-loads';
import { at, intervalAt } from '../network/network-index';
import { GROUP, halfWidth, placesOf, shortened } from './network-places';
import type { Places, Point } from './network-places';
import { loadStyle } from './palette';
import type { Moment } from './moment';

/** Links of one direction lie beside those of the other. */
const GAP = 3.2;
/** Part of a line that the longest queue covers. */
const BAR = 0.6;
/** Hosts that stand closer have turned names; closer than the second, not each of them has one. */
const TIGHT = 34;
const NAME_WIDTH = 13;
/** More lines than this have no number of links written on them. */
const COUNTED_LINES = 60;

interface Shown {
  readonly network: Network;
  readonly group: NetworkGroup;
  readonly moment: Moment;
  /** True for nodes that stand out. */
  readonly isMarked: (node: DrawnNode) => boolean;
  readonly open: (group: number) => void;
}

/** One picture of a network at the reader's instant: links by load, bars where packets wait, groups to open. */
export function NetworkPicture({ network, group, moment, isMarked, open }: Shown) {
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
  const places = useMemo(() => placesOf(group, width), [group, width]);
  const drawn = useMemo(() => drawnLines(group, places), [group, places]);
  useEffect(
    () => followLoads({ network, group, moment, lines: links.current, box: box.current, drawn }),
    [drawn, moment],
  );
  const { nodes, hosts, switches } = group;
  return (
    <div ref={box} class="picture">
      <svg
        class="network"
        viewBox={`0 0 ${width} ${places.height}`}
        width={width}
        height={places.height}
        role="img"
        aria-label={`${hosts} hosts and ${switches} switches in ${nodes.length} parts at the chosen instant; the tables below have them in words`}
      >
        <g ref={links}>
          {drawn.map(({ text, from, to, series }, i) => (
            <g key={i}>
              <line
                class={
                  (series?.load.length ?? 0) < network.intervals && series ? 'link mean' : 'link'
                }
                x1={from.x}
                y1={from.y}
                x2={to.x}
                y2={to.y}
              >
                <title>{text}</title>
              </line>
              <line class="waiting" x1={from.x} y1={from.y} x2={from.x} y2={from.y} />
            </g>
          ))}
        </g>
        {nodes.map((node, i) =>
          node.kind === 'group' ? null : (
            <NodeView
              key={node.name}
              node={node}
              point={places.points[i] as Point}
              room={places.room[i] ?? 0}
              order={nodes.slice(0, i).filter(({ row }) => row === node.row).length}
              isMarked={isMarked(node)}
            />
          ),
        )}
        {group.lines.length <= COUNTED_LINES && <Counts group={group} places={places} />}
      </svg>
      {nodes.map((node, i) =>
        node.kind === 'group' ? (
          <GroupView
            key={node.name}
            node={node}
            point={places.points[i] as Point}
            isMarked={isMarked(node)}
            open={open}
          />
        ) : null,
      )}
    </div>
  );
}

/** One direction of a line. */
interface DrawnDirection {
  readonly series: Series | undefined;
  readonly text: string;
  readonly from: Point;
  readonly to: Point;
}

function drawnLines({ nodes, lines }: NetworkGroup, places: Places): DrawnDirection[] {
  const direction = (
    [a, b]: readonly [DrawnNode | undefined, DrawnNode | undefined],
    [from, to]: readonly [Point, Point],
    links: number,
    series: Series | undefined,
  ): DrawnDirection => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(-(to.y - from.y) / length) * GAP, ((to.x - from.x) / length) * GAP];
    const beside = ({ x, y }: Point): Point => ({ x: x + dx, y: y + dy });
    const text = `${a?.name ?? ''} to ${b?.name ?? ''}${links === 1 ? '' : `, ${links} links`}`;
    return { series, text, from: beside(from), to: beside(to) };
  };
  return lines.flatMap(({ a, b, links, there, back }, i) => {
    const [from, to] = places.lines[i] as readonly [Point, Point];
    return [
      direction([nodes[a], nodes[b]], [from, to], links, there),
      direction([nodes[b], nodes[a]], [to, from], links, back),
    ];
  });
}

/** Number of links that a line stands for: on it, or beside its end. */
const Counts = ({ group, places }: { readonly group: NetworkGroup; readonly places: Places }) => (
  <g class="counts">
    {group.lines.map(({ links }, i) => {
      const [from, to] = places.lines[i] as readonly [Point, Point];
      const isStub = from.x === to.x;
      // Nearer to the lower end, where lines of one node do not meet.
      const part = isStub ? 0.5 : from.y < to.y ? 0.55 : 0.45;
      return links === 1 ? null : (
        <text
          key={i}
          x={from.x + (to.x - from.x) * part + (isStub ? 2 * GAP : 0)}
          y={from.y + (to.y - from.y) * part + 4}
          text-anchor={isStub ? 'start' : 'middle'}
        >
          {`×${links}`}
        </text>
      );
    })}
  </g>
);

interface NodeProps {
  readonly node: DrawnNode;
  readonly point: Point;
  readonly isMarked: boolean;
}

function NodeView({
  node: { name, kind, isOutside },
  point: { x, y },
  room,
  order,
  isMarked,
}: NodeProps & { readonly room: number; readonly order: number }) {
  const looks = `${kind}${isOutside === true ? ' outside' : ''}${isMarked ? ' marked' : ''}`;
  if (kind === 'switch') {
    const half = halfWidth(name);
    return (
      <g class={looks}>
        <title>{name}</title>
        <rect x={x - half} y={y - 13} width={2 * half} height="26" rx="5" />
        <text x={x} y={y + 4} text-anchor="middle">
          {shortened(name)}
        </text>
      </g>
    );
  }
  const isTight = room < TIGHT;
  const hasLabel = isMarked || (room > 0 && order % Math.ceil(NAME_WIDTH / room) === 0);
  const turned = isTight ? { transform: `rotate(-60 ${x} ${y + 24})`, 'text-anchor': 'end' } : {};
  return (
    <g class={looks}>
      <title>{name}</title>
      <circle cx={x} cy={y} r={isTight ? 4 : 7} />
      {hasLabel && (
        <text x={x} y={y + 24} text-anchor="middle" {...turned}>
          {name}
        </text>
      )}
    </g>
  );
}

/** A group is a button; what is outside in several groups is none. */
function GroupView({
  node: { name, hosts = 0, switches = 0, group, isOutside },
  point: { x, y },
  isMarked,
  open,
}: NodeProps & { readonly open: (group: number) => void }) {
  const looks = `group${isOutside === true ? ' outside' : ''}${isMarked ? ' marked' : ''}`;
  const style = {
    left: `${x}px`,
    top: `${y}px`,
    width: `${GROUP.width}px`,
    minHeight: `${GROUP.height}px`,
  };
  const [first = '', last] = name.split(' to ');
  const text = (
    <>
      <span class="names">
        {shortened(first)}
        {last !== undefined && (
          <>
            {' to '}
            <br />
            {shortened(last)}
          </>
        )}
      </span>{' '}
      <span class="count">{countText({ hosts, switches })}</span>
      <span class="inside" />
    </>
  );
  if (group === undefined) {
    return (
      <div class={looks} style={style} title={`elsewhere: ${name}`}>
        {text}
      </div>
    );
  }
  return (
    <button type="button" class={looks} style={style} title={name} onClick={() => open(group)}>
      {text}
    </button>
  );
}

/** The length of a network or a part of it, in words. */
export function countText({
  hosts,
  switches,
}: {
  readonly hosts: number;
  readonly switches: number;
}): string {
  const counted = (count: number, what: string, more: string): string[] =>
    count === 0 ? [] : [`${count.toLocaleString('en-GB')} ${count === 1 ? what : more}`];
  return [...counted(hosts, 'host', 'hosts'), ...counted(switches, 'switch', 'switches')].join(
    ', ',
  );
}

interface Following {
  readonly network: Network;
  readonly group: NetworkGroup;
  readonly moment: Moment;
  readonly lines: SVGGElement | null;
  readonly box: HTMLDivElement | null;
  readonly drawn: readonly DrawnDirection[];
}

/** Changes attributes alone, and those only where a value has changed. */
function followLoads({ network, group, moment, lines, box, drawn }: Following): () => void {
  if (lines === null || box === null) return () => undefined;
  const marks = [...lines.children].map((each) => [...each.children] as SVGLineElement[]);
  const groups = group.nodes.filter(({ kind }) => kind === 'group');
  const boxes = [...box.querySelectorAll<HTMLElement>('.group')];
  let shown = -1;
  const before = new Map<object, string>();
  /** True if it does not look so already. PERF: what stays as it is need not be drawn again. */
  const isNew = (what: object, looks: string): boolean => {
    if (before.get(what) === looks) return false;
    before.set(what, looks);
    return true;
  };
  const show = (): void => {
    const interval = intervalAt(network, moment.look.nowUs);
    if (interval === shown) return;
    shown = interval;
    drawn.forEach((direction, i) => {
      const [line, bar] = marks[i] ?? [];
      const { load, queueBytes } = at(direction.series, interval);
      const { color, width } = loadStyle(load);
      if (line === undefined || bar === undefined) return;
      if (!isNew(direction, `${color} ${queueBytes}`)) return;
      const { from, to } = direction;
      line.setAttribute('stroke', color);
      line.setAttribute('stroke-width', String(width));
      const share = (BAR * queueBytes) / network.queuePeakBytes;
      bar.setAttribute('x2', String(from.x + (to.x - from.x) * share));
      bar.setAttribute('y2', String(from.y + (to.y - from.y) * share));
      bar.style.display = share > 0 ? '' : 'none';
    });
    groups.forEach((node, i) => {
      const { load, queueBytes } = at(node.inside, interval);
      const { color } = loadStyle(load);
      const element = boxes[i];
      if (element === undefined || !isNew(node, `${color} ${queueBytes}`)) return;
      element.style.setProperty('--load', color);
      element.style.setProperty('--queue-share', String(queueBytes / network.queuePeakBytes));
    });
  };
  show();
  return moment.follow(show);
}
