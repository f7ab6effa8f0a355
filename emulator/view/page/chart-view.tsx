import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { Axis, Chart } from '../data/chart';
import type { RunView } from '../data/page-data';
import { ChartFrame } from './chart-frame';
import {
  alignedData,
  axesOf,
  hasPeaks,
  legendOf,
  lowestInterval,
  peakAbove,
  uplotSeries,
  visibleMax,
} from './chart-options';
import type { Moment } from './moment';
import { followScheme, colorOf, ink } from './palette';

const HEIGHT = 260;

export interface ChartProps {
  readonly chart: Chart;
  /** Where time is shared. */
  readonly moment: Moment | undefined;
  readonly run: RunView | undefined;
}

/** One chart: what it shows, as picture and as words, and what can be done with it. */
export function ChartView({ chart, moment, run }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [isFull, setFull] = useState(true);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [readout, setReadout] = useState('');
  const entries = useMemo(() => legendOf(chart), [chart]);
  const shared = chart.followsTime === true ? moment : undefined;
  const factor = run?.timeFactor ?? 1;
  const latest = useRef({ chart, isFull });
  latest.current = { chart, isFull };
  const shape = chart.series.map(({ name, kind }) => `${name} ${kind ?? ''}`).join('\n');

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const made = new uPlot(
      optionsOf({ latest, width: element.clientWidth, shared, factor, tell: setReadout }),
      alignedData(latest.current.chart),
      element,
    );
    const work = new WhileShown(element);
    plot.current = { made, work, drawn: latest.current };
    const watch = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    watch.observe(element);
    const ends = [
      () => watch.disconnect(),
      () => work.end(),
      followScheme(() => work.run('ink', () => made.redraw())),
      ...(shared === undefined ? [] : [followTime({ made, work, shared, factor })]),
    ];
    return () => {
      ends.forEach((end) => end());
      made.destroy();
      plot.current = null;
    };
  }, [shape, shared, factor]);

  useEffect(() => {
    const present = plot.current;
    if (present === null) return;
    const { made, work, drawn } = present;
    if (drawn.chart === chart && drawn.isFull === isFull) return;
    present.drawn = { chart, isFull };
    work.run('data', () => {
      made.setData(alignedData(chart), shared === undefined);
      if (shared !== undefined) showWindow(made, shared, factor);
    });
  }, [chart, isFull]);

  useEffect(() => {
    for (const entry of entries) {
      const show = !hidden.has(entry.name);
      for (const i of entry.series) plot.current?.made.setSeries(i, { show });
    }
  }, [hidden, entries]);

  const isCut = useMemo(() => hasPeaks(chart), [chart]);
  return (
    <ChartFrame
      chart={chart}
      entries={entries}
      hidden={hidden}
      readout={readout}
      isFull={isFull}
      moment={shared}
      toggle={(name) => setHidden(toggled(hidden, name))}
      hasPeaks={isCut}
      togglePeaks={() => setFull(!isFull)}
    >
      <div class="plot" ref={host} />
    </ChartFrame>
  );
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

interface Drawn {
  readonly chart: Chart;
  readonly isFull: boolean;
}

interface Plot {
  readonly made: uPlot;
  readonly work: WhileShown;
  /** Content of the picture now, or once it becomes visible. */
  drawn: Drawn;
}

interface Making {
  readonly latest: { readonly current: Drawn };
  readonly width: number;
  readonly shared: Moment | undefined;
  readonly factor: number;
  readonly tell: (text: string) => void;
}

function optionsOf({ latest, width, shared, factor, tell }: Making): uPlot.Options {
  const { chart } = latest.current;
  const entries = legendOf(chart);
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    focus: { alpha: 0.15 },
    cursor: {
      y: false,
      focus: { prox: 24 },
      // PERF: else there is an element, and a layer of the browser, for each of hundreds of lines.
      points: { one: true },
      drag: { x: true, y: false, setScale: shared === undefined },
      ...(shared !== undefined && { sync: { key: 'time' } }),
    },
    scales: scalesOf(latest),
    axes: axesOf(chart),
    series: uplotSeries(chart, entries),
    hooks: {
      setSelect: [(made) => zoomTo(made, shared, factor)],
      setSeries: [(made, i) => tell(readoutOf(made, i, latest.current.chart))],
      setCursor: [(made) => tell(readoutOf(made, focused(made), latest.current.chart))],
      draw: [
        (made) => drawIntervals(made, latest.current.chart),
        (made) => markCut(made, latest.current.chart),
      ],
    },
  };
}

function scalesOf(latest: Making['latest']): uPlot.Scales {
  const { chart } = latest.current;
  const { categories } = chart.x;
  return {
    x: {
      time: false,
      ...(categories !== undefined && { range: [-0.5, categories.length - 0.5] }),
      ...(chart.x.max !== undefined && { range: [chart.x.min ?? 0, chart.x.max] }),
    },
    y: {
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- uPlot exports no value of it
      distr: chart.y.isLogarithmic === true ? 3 : 1,
      range: (made, low, high) => {
        const { isFull, chart: present } = latest.current;
        const { min, max } = made.scales['x'] ?? {};
        const visible = visibleMax(present, min ?? -Infinity, max ?? Infinity, isFull);
        return rangeOf(present, low, visible > 0 ? visible : high);
      },
    },
  };
}

function rangeOf(chart: Chart, lowest: number | null, high: number | null): [number, number] {
  const { y } = chart;
  const low = y.isLogarithmic === true ? lowest : lowestOf(chart, lowest);
  if (y.isLogarithmic === true) {
    const floor = Math.min(y.min ?? low ?? 1, low ?? 1);
    return [10 ** Math.floor(Math.log10(floor || 1)), 10 ** Math.ceil(Math.log10(high ?? 10))];
  }
  if (y.max !== undefined) {
    return [y.min ?? Math.min(low ?? 0, y.max - 0.05) * 0.995, y.max * 1.005];
  }
  const from = y.min ?? (low ?? 0) - ((high ?? 1) - (low ?? 0)) * 0.05;
  return [from, Math.max((high ?? 1) * 1.06, from + 1e-9)];
}

/** An axis without a zero reaches down to the ends of intervals; zero and below have no place on a logarithmic one. */
function lowestOf(chart: Chart, lowest: number | null): number | null {
  const interval = lowestInterval(chart);
  if (interval === undefined || lowest === null) return lowest;
  return Math.min(lowest, interval);
}

function zoomTo(made: uPlot, shared: Moment | undefined, factor: number): void {
  if (shared === undefined || made.select.width < 4) return;
  const fromUs = made.posToVal(made.select.left, 'x') * factor;
  const toUs = made.posToVal(made.select.left + made.select.width, 'x') * factor;
  made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  shared.change({ fromUs, toUs, nowUs: fromUs });
}

function showWindow(made: uPlot, { look }: Moment, factor: number): void {
  made.setScale('x', { min: look.fromUs / factor, max: look.toUs / factor });
}

interface Following {
  readonly made: uPlot;
  readonly work: WhileShown;
  readonly shared: Moment;
  readonly factor: number;
}

/** The chart follows what the reader looks at; a click moves the reader's instant. */
function followTime({ made, work, shared, factor }: Following): () => void {
  const mark = document.createElement('div');
  mark.className = 'now';
  made.over.append(mark);
  const place = (): void => {
    const left = made.valToPos(shared.look.nowUs / factor, 'x');
    // PERF: reading the element's width would make the browser lay the page out, once per chart.
    const isInside = left >= 0 && left <= made.bbox.width / uPlot.pxRatio;
    mark.style.transform = `translateX(${isInside ? left.toFixed(1) : -9999}px)`;
  };
  const scale = (): void => {
    showWindow(made, shared, factor);
    // uPlot applies a scale in a microtask.
    queueMicrotask(place);
  };
  made.over.addEventListener('click', ({ offsetX }) => {
    shared.change({ nowUs: made.posToVal(offsetX, 'x') * factor });
  });
  made.over.addEventListener('dblclick', () => shared.whole());
  scale();
  return shared.follow((look, before) => {
    if (look.fromUs !== before.fromUs || look.toUs !== before.toUs) work.run('window', scale);
    if (look.flow !== before.flow) work.run('flow', () => focusFlow(made, shared.look.flow));
    work.run('instant', place);
  });
}

/** Series of flows are named `3: h4 to h1`. */
function focusFlow(made: uPlot, flow: number | null): void {
  const i = made.series.findIndex(
    ({ label }) => typeof label === 'string' && label.startsWith(`${flow ?? ''}: `),
  );
  if (flow === null || i > 0) made.setSeries(flow === null ? null : i, { focus: true });
}

/** A chart with one line needs no pointer near it. */
const focused = ({ series }: uPlot): number | null => (series.length === 2 ? 1 : null);

function readoutOf(made: uPlot, number: number | null, { x, y, series }: Chart): string {
  const { idx } = made.cursor;
  if (idx === null || idx === undefined) return '';
  const at = made.data[0][idx];
  if (at === undefined) return '';
  const where = x.categories?.[at] ?? valueText(at, x, 6);
  const value = number === null ? undefined : made.data[number]?.[idx];
  if (number === null || value === undefined || value === null) {
    return `${x.name ?? x.label}: ${where}`;
  }
  const name = series[number - 1]?.name ?? '';
  return `${where}: ${name}, ${y.name ?? y.label} ${valueText(value, y, 4)}`;
}

/** A value of an axis with its unit. */
const valueText = (value: number, { unit = '' }: Axis, digits: number): string =>
  `${Number(value.toPrecision(digits))} ${unit}`.trimEnd();

/** Margin around the window within which charts are drawn, so that scrolling finds them drawn. */
const MARGIN = '100px';

/**
 * Updates of something that is drawn only where the reader sees it: elsewhere they wait, and of several
 * with one name the last one counts.
 */
class WhileShown {
  readonly #watch: IntersectionObserver;
  readonly #waiting = new Map<string, () => void>();
  /** True until it is known. */
  #isShown = true;

  constructor(element: Element) {
    this.#watch = new IntersectionObserver(
      (seen) => {
        this.#isShown = seen.at(-1)?.isIntersecting === true;
        if (this.#isShown) this.#catchUp();
      },
      { rootMargin: MARGIN },
    );
    this.#watch.observe(element);
    window.addEventListener('beforeprint', this.#catchUp);
  }

  run(name: string, update: () => void): void {
    if (this.#isShown) update();
    else this.#waiting.set(name, update);
  }

  end(): void {
    this.#watch.disconnect();
    window.removeEventListener('beforeprint', this.#catchUp);
  }

  readonly #catchUp = (): void => {
    const updates = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const update of updates) update();
  };
}

/** Says at the upper edge how far the highest peak goes on beyond a cut axis. */
function markCut(made: uPlot, chart: Chart): void {
  const { x, y } = made.scales;
  const [from, to, top] = [x?.min, x?.max, y?.max];
  if (from === undefined || to === undefined || top === undefined) return;
  if (from === null || to === null || top === null) return;
  const peak = peakAbove(chart, top, from, to);
  if (peak === undefined) return;
  const { ctx, bbox } = made;
  const { pxRatio } = uPlot;
  const left = made.valToPos(peak.x, 'x', true);
  const isRight = left > bbox.left + bbox.width / 2;
  ctx.save();
  ctx.fillStyle = ink().text;
  ctx.font = `${12 * pxRatio}px system-ui, sans-serif`;
  ctx.textAlign = isRight ? 'right' : 'left';
  ctx.textBaseline = 'top';
  const text = `\u2191 ${Number(peak.y.toPrecision(4))}: cut here`;
  ctx.fillText(text, left + (isRight ? -10 : 10) * pxRatio, bbox.top + 2 * pxRatio);
  ctx.restore();
}

const CAP = 4;

/**
 * Confidence intervals as thin lines with caps, over the points of their series. One that leaves the axis,
 * as those to zero and below do on a logarithmic one, ends without a cap.
 */
function drawIntervals(made: uPlot, { series }: Chart): void {
  const { ctx } = made;
  const { min = -Infinity, max = Infinity } = made.scales['y'] ?? {};
  const within = (value: number): number => Math.min(Math.max(value, min), max);
  series.forEach(({ x, y, halfWidths }, i) => {
    if (halfWidths === undefined || made.series[i + 1]?.show === false) return;
    ctx.save();
    ctx.strokeStyle = colorOf(i);
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    x.forEach((at, j) => {
      const [mean, half] = [y[j], halfWidths[j]];
      if (mean === null || mean === undefined || half === null || half === undefined) return;
      const left = made.valToPos(at, 'x', true);
      const ends = [mean + half, mean - half];
      const [top = NaN, bottom = NaN] = ends.map((v) => made.valToPos(within(v), 'y', true));
      ctx.moveTo(left, top);
      ctx.lineTo(left, bottom);
      for (const end of ends.filter((v) => within(v) === v)) {
        const height = made.valToPos(end, 'y', true);
        ctx.moveTo(left - CAP * devicePixelRatio, height);
        ctx.lineTo(left + CAP * devicePixelRatio, height);
      }
    });
    ctx.stroke();
    ctx.restore();
  });
}
