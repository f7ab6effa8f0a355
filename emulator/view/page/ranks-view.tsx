import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { durationText } from '../data/duration-text';
import type { RunView } from '../data/page-data';
import type { LinkLane, RankLane, RankLanes, Spans } from '../data/rank-lanes';
import type { Moment } from './moment';
import { loadStyle } from './palette';

/** Units of the picture: lanes are as high as there is room for. */
const LANE = 10;
/** Highest lane, in pixels, and the lowest. */
const LANE_PX = 16;
const LANE_PX_MIN = 3;
const RANKS_PX = 420;
/** Between ranks and links. */
const GAP = 6;

/**
 * Ranks, their phases and the busiest links over the time that all charts show, with the reader's instant in words.
 * PERF: a path for each lane and kind; scrubbing and zooming change two attributes.
 */
export function RanksView({
  lanes,
  run,
  moment,
}: {
  readonly lanes: RankLanes;
  readonly run: RunView;
  readonly moment: Moment;
}) {
  const picture = useRef<SVGSVGElement>(null);
  const line = useRef<SVGLineElement>(null);
  const [nowUs, setNow] = useState(moment.look.nowUs);
  const { ranks, links, collectives, gapUs, ranksOmitted } = lanes;
  const heights = useMemo(() => heightsOf(lanes), [lanes]);
  const height = (ranks.length + links.length) * LANE + GAP;
  useEffect(() => {
    const show = (): void => {
      const { fromUs, toUs, nowUs: now } = moment.look;
      picture.current?.setAttribute(
        'viewBox',
        `${fromUs} 0 ${Math.max(toUs - fromUs, 1e-6)} ${height}`,
      );
      line.current?.setAttribute('x1', String(now));
      line.current?.setAttribute('x2', String(now));
      setNow(now);
    };
    show();
    return moment.follow(show);
  }, [moment, height]);
  const drawn = useMemo(() => <Lanes lanes={lanes} />, [lanes]);
  const go = (event: MouseEvent): void => {
    const box = picture.current?.getBoundingClientRect();
    if (box === undefined) return;
    const { fromUs, toUs } = moment.look;
    moment.change({ nowUs: fromUs + ((event.clientX - box.left) / box.width) * (toUs - fromUs) });
  };
  const title = `Ranks of ${lanes.name} and the busiest links over time`;
  return (
    <section class="ranks">
      <h2>{title}</h2>
      <p class="legend">
        <span class="computing">computing</span>
        <span class="communicating">communicating</span>
        <span class="both">both</span>
        <span>blank: neither</span>
      </p>
      <div class="lanes">
        <div class="names" aria-hidden="true">
          <span style={{ height: `${heights.ranks}px` }}>{rangeText(ranks)}</span>
          {links.map(({ name }) => (
            <span
              key={name}
              style={{ height: `${heights.lane}px`, lineHeight: `${heights.lane}px` }}
            >
              {name}
            </span>
          ))}
        </div>
        <svg
          ref={picture}
          role="img"
          aria-label={title}
          preserveAspectRatio="none"
          style={{ height: `${heights.all}px` }}
          onClick={go}
        >
          {drawn}
          <line ref={line} class="instant" y1={0} y2={height} />
        </svg>
      </div>
      <p class="instant-text">{wordsOf(lanes, nowUs, run)}</p>
      <p class="caption">
        A click goes to that instant. Lanes of ranks from above in their order, then links by load.
        {gapUs > 0 && ` Pauses shorter than ${durationText(gapUs, run)} are not drawn.`}
        {ranksOmitted > 0 && ` ${ranksOmitted} more ranks are not drawn.`}
        {collectives.length === 0 && ' The trace has no collectives.'}
      </p>
    </section>
  );
}

const rangeText = (ranks: readonly RankLane[]): string =>
  ranks.length === 1 ? 'rank 0' : `ranks 0 to ${ranks.length - 1}`;

/** Pixels of a lane of a link, of all lanes of ranks, and of the picture, which keeps one scale. */
function heightsOf({ ranks, links }: RankLanes) {
  const lane = Math.max(LANE_PX_MIN, Math.min(LANE_PX, RANKS_PX / ranks.length));
  const scale = lane / LANE;
  return {
    lane,
    ranks: (ranks.length * LANE + GAP) * scale,
    all: ((ranks.length + links.length) * LANE + GAP) * scale,
  };
}

function Lanes({ lanes: { ranks, links, intervalUs } }: { readonly lanes: RankLanes }) {
  const below = ranks.length * LANE + GAP;
  return (
    <>
      {ranks.map(({ rank, computing, communicating }, i) => (
        <g key={rank}>
          <path class="communicating" d={pathOf(communicating, i * LANE, LANE - 1)} />
          {/* Lower, so that both are seen where both are. */}
          <path class="computing" d={pathOf(computing, i * LANE, (LANE - 1) / 2)} />
        </g>
      ))}
      {links.map((link, i) => (
        <g key={link.name}>
          {loadPaths(link, below + i * LANE, intervalUs).map(([color, d]) => (
            <path key={color} style={{ fill: color }} d={d} />
          ))}
        </g>
      ))}
    </>
  );
}

/** Boxes from each beginning to its end. */
function pathOf(spans: Spans, y: number, height: number): string {
  let path = '';
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const [from, to] = [spans[i] as number, spans[i + 1] as number];
    path += `M${from} ${y}H${to}v${height}H${from}z`;
  }
  return path;
}

/** A path for each colour of the load. */
function loadPaths({ load }: LinkLane, y: number, intervalUs: number): [string, string][] {
  const paths = new Map<string, string>();
  for (let i = 0; i < load.length;) {
    const { color } = loadStyle(load[i] as number);
    let end = i + 1;
    while (end < load.length && loadStyle(load[end] as number).color === color) end++;
    const box = pathOf([i * intervalUs, end * intervalUs], y, LANE - 1);
    paths.set(color, (paths.get(color) ?? '') + box);
    i = end;
  }
  return [...paths];
}

/** State of ranks and links at an instant. */
function wordsOf(
  { ranks, links, collectives, intervalUs }: RankLanes,
  nowUs: number,
  run: RunView,
): string {
  let [computing, communicating, idle] = [0, 0, 0];
  for (const rank of ranks) {
    const [computes, communicates] = [isIn(rank.computing, nowUs), isIn(rank.communicating, nowUs)];
    if (computes) computing++;
    if (communicates) communicating++;
    if (!computes && !communicates) idle++;
  }
  const under = collectives.filter(({ fromUs, toUs }) => fromUs <= nowUs && nowUs < toUs);
  const names = [...new Set(under.map(({ name }) => name))];
  const loads = links.map(({ name, load }) => ({
    name,
    load: load[Math.floor(nowUs / intervalUs)] ?? 0,
  }));
  const fullest = loads.reduce((most, each) => (each.load > most.load ? each : most), {
    name: '',
    load: 0,
  });
  return [
    `At ${durationText(nowUs, run)} ${computing} of ${ranks.length} ranks compute, ${communicating} communicate, ${idle} do neither`,
    names.length === 0 ? '' : `; under way: ${listed(names, under.length)}`,
    fullest.load === 0
      ? ''
      : `; of these links ${fullest.name} is the fullest, ${Math.round(fullest.load / 10)} %`,
    '.',
  ].join('');
}

const NAMES_MAX = 3;
const listed = (names: readonly string[], count: number): string => {
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  const times = count > names.length ? ` (${count} groups)` : '';
  return names.slice(0, NAMES_MAX).join(', ') + more + times;
};

/** True if an instant is in one of the spans. */
function isIn(spans: Spans, us: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as number) <= us) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}
