import type { Axis, Chart } from '../data/chart';
import { lowerBound } from '../data/thin';
import { drawPageChart } from '../picture/draw-picture';
import type { PageChart } from '../picture/draw-picture';
import { legendOf } from '../picture/legend';
import { pageStyle } from '../picture/picture-style';
import type { Ink } from '../picture/picture-style';
import type { Moment } from './moment';
import { colorOf, followScheme, ink, LIGHT_INK, REFERENCE_COLOR } from './palette';
import { calmEnd, peakAbove, shownPart } from './shown-part';
import type { Span } from './shown-part';
import { WhileShown } from './while-shown';

const HEIGHT = 260;
/** Sheets of paper, in the pixels of which a sheet has 96 in an inch; its marks are left out, so nothing is cut. */
const PRINTED: Sheet = { width: 680, height: 190, inks: LIGHT_INK, isFull: true };
/** The pointer names a line that is so near. */
const NEAR = 24;
/** A drag over fewer pixels is a click. */
const DRAG_MIN = 4;

/** Surface that a drawing is made for. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly inks: Ink;
  readonly isFull: boolean;
}

/** Content of a picture. */
export interface Shown {
  readonly chart: Chart;
  /** False: short peaks are cut off. */
  readonly isFull: boolean;
  /** Names of the legend whose lines are left out. */
  readonly hidden: ReadonlySet<string>;
}

export interface PictureContext {
  /** Where time is shared; such a chart follows it. */
  readonly shared: Moment | undefined;
  /** Microseconds in the unit of the chart. */
  readonly factor: number;
  /** Takes what the pointer points at, in words. */
  readonly tell: (text: string) => void;
}

/**
 * The picture of a chart in an element of the page: drawn as files are, with marks over it that move without another
 * drawing. It is drawn where it is seen, at the width of the element.
 */
export class ChartPicture {
  readonly #work: WhileShown;
  readonly #holder = part('drawing');
  readonly #over = part('over');
  readonly #now = part('now');
  readonly #cursor = part('cursor');
  readonly #selection = part('selection');
  readonly #cut = part('cut');
  readonly #line = document.createElementNS(SVG, 'svg');
  readonly #ends: (() => void)[];
  #drawn: PageChart | undefined;
  #isPrinted = false;
  #part: Chart;
  /** Part that the reader has chosen, of a chart that does not follow time. */
  #own: Span | undefined;
  #draggedFrom: number | undefined;
  #named: number | undefined;

  constructor(
    private readonly element: HTMLElement,
    private shown: Shown,
    private readonly context: PictureContext,
  ) {
    this.#part = shown.chart;
    this.#line.setAttribute('class', 'line');
    this.#over.append(this.#cursor, this.#selection, this.#cut);
    element.replaceChildren(this.#holder, this.#line, this.#over);
    this.#work = new WhileShown(element);
    const watch = new ResizeObserver(() => this.redraw());
    watch.observe(element);
    const print = (): void => this.#print();
    const printed = (): void => {
      this.#isPrinted = false;
      this.redraw();
    };
    window.addEventListener('beforeprint', print);
    window.addEventListener('afterprint', printed);
    this.#ends = [
      () => watch.disconnect(),
      () => window.removeEventListener('beforeprint', print),
      () => window.removeEventListener('afterprint', printed),
      followScheme(() => this.redraw()),
      this.#followTime(),
      this.#followPointer(),
    ];
    this.redraw();
  }

  show(shown: Shown): void {
    if (this.shown === shown) return;
    this.shown = shown;
    this.redraw();
  }

  redraw(): void {
    this.#work.run('draw', () => {
      // The size of a sheet is no reason to draw for it what a screen shows.
      if (this.#isPrinted) return;
      const width = this.element.clientWidth;
      if (width === 0) return;
      const { isFull } = this.shown;
      this.#draw({ width, height: HEIGHT, inks: ink(), isFull }, this.#window());
    });
  }

  end(): void {
    this.#work.end();
    this.#ends.forEach((end) => end());
    this.element.replaceChildren();
  }

  /** Part to be seen, in the units of the chart; undefined for all of it. */
  #window(): Span | undefined {
    const { shared, factor } = this.context;
    if (shared === undefined) return this.#own;
    const { fromUs, toUs } = shared.look;
    return [fromUs / factor, toUs / factor];
  }

  #draw({ width, height, inks, isFull }: Sheet, span: Span | undefined): void {
    const { chart, hidden } = this.shown;
    this.#part = shownPart(chart, span, width);
    const yMax = isFull ? undefined : calmEnd(this.#part);
    this.#drawn = drawPageChart(this.#part, pageStyle(width, height, inks), {
      ...(span !== undefined && { x: span }),
      ...(yMax !== undefined && { yMax }),
      hidden,
    });
    this.#holder.innerHTML = this.#drawn.svg;
    const { left, top, right, bottom } = this.#drawn.rect;
    const { style } = this.#over;
    [style.left, style.top] = [`${left}px`, `${top}px`];
    [style.width, style.height] = [`${right - left}px`, `${bottom - top}px`];
    this.#name(undefined);
    this.#placeNow();
    this.#markCut();
  }

  /** All of the run, on white, whatever the reader looks at. */
  #print(): void {
    const { shared, factor } = this.context;
    const whole = shared === undefined ? undefined : ([0, shared.durationUs / factor] as const);
    this.#work.catchUp();
    this.#isPrinted = true;
    this.#draw(PRINTED, whole);
  }

  #followTime(): () => void {
    const { shared } = this.context;
    if (shared === undefined) return () => undefined;
    this.#over.append(this.#now);
    const ends = [
      shared.follow((look, before) => {
        if (look.fromUs !== before.fromUs || look.toUs !== before.toUs) this.redraw();
        if (look.flow !== before.flow) this.#work.run('flow', () => this.#name(undefined));
        this.#work.run('instant', () => this.#placeNow());
      }),
      shared.followPointer((us) => this.#placeCursor(us)),
    ];
    return () => ends.forEach((end) => end());
  }

  /** PERF: a transform moves the mark without laying the page out, and without drawing the chart. */
  #placeNow(): void {
    const { shared, factor } = this.context;
    if (shared === undefined) return;
    this.#now.style.transform = `translateX(${this.#inside(shared.look.nowUs / factor)}px)`;
  }

  #placeCursor(us: number | undefined): void {
    const x = us === undefined ? -OUTSIDE : this.#inside(us / this.context.factor);
    this.#cursor.style.transform = `translateX(${x}px)`;
  }

  /** Pixels from the left edge; far away where that is not in the picture. */
  #inside(value: number): string {
    const share = this.#shareOf(value);
    const { left = 0, right = 0 } = this.#drawn?.rect ?? {};
    return share >= 0 && share <= 1 ? (share * (right - left)).toFixed(1) : String(-OUTSIDE);
  }

  #shareOf(value: number): number {
    if (this.#drawn === undefined) return NaN;
    const { from, to } = this.#drawn;
    return shareOf(value, [from[0], to[0]], this.shown.chart.x);
  }

  /** Says at the upper edge how far the highest peak goes on beyond a cut axis. */
  #markCut(): void {
    const { from, to } = this.#drawn as PageChart;
    const { chart, isFull } = this.shown;
    const peak = isFull ? undefined : peakAbove(chart, to[1], [from[0], to[0]]);
    this.#cut.textContent =
      peak === undefined ? '' : `\u2191 ${Number(peak.y.toPrecision(4))}: cut here`;
    if (peak === undefined) return;
    const share = this.#shareOf(peak.x);
    this.#cut.style.cssText =
      share > 0.5 ? `right:${(1 - share) * 100}%` : `left:${(share * 100).toFixed(2)}%`;
  }

  #followPointer(): () => void {
    const over = this.#over;
    const { shared } = this.context;
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
    ): void => over.addEventListener(name, act);
    on('pointerdown', (event) => {
      this.#draggedFrom = event.offsetX;
      over.setPointerCapture(event.pointerId);
    });
    on('pointermove', ({ offsetX, offsetY }) => {
      this.#select(offsetX);
      this.#point(offsetX, offsetY);
    });
    on('pointerup', ({ offsetX }) => this.#drop(offsetX));
    on('pointercancel', () => this.#endDrag());
    on('pointerleave', () => {
      this.context.tell('');
      this.#name(undefined);
      shared?.pointAt(undefined);
      if (shared === undefined) this.#placeCursor(undefined);
    });
    on('dblclick', () => {
      this.#own = undefined;
      if (shared === undefined) this.redraw();
      else shared.whole();
    });
    return () => over.remove();
  }

  #valueAt(pixels: number): number {
    const { rect, from, to } = this.#drawn as PageChart;
    const share = Math.min(1, Math.max(0, pixels / (rect.right - rect.left)));
    const { x } = this.shown.chart;
    if (x.isLogarithmic === true) return from[0] * (to[0] / from[0]) ** share;
    if (x.categories !== undefined) return Math.floor(share * x.categories.length * 0.99999);
    return from[0] + share * (to[0] - from[0]);
  }

  #select(pixels: number): void {
    const from = this.#draggedFrom;
    if (from === undefined || this.shown.chart.x.categories !== undefined) return;
    const { style } = this.#selection;
    [style.left, style.width] = [`${Math.min(from, pixels)}px`, `${Math.abs(pixels - from)}px`];
  }

  #endDrag(): void {
    this.#draggedFrom = undefined;
    this.#selection.style.width = '0';
  }

  #drop(pixels: number): void {
    const begun = this.#draggedFrom;
    this.#endDrag();
    if (begun === undefined || this.#drawn === undefined) return;
    const { shared, factor } = this.context;
    const [from = 0, to = 0] = [begun, pixels].sort((a, b) => a - b).map((p) => this.#valueAt(p));
    const isDrag = Math.abs(begun - pixels) >= DRAG_MIN;
    if (shared !== undefined) {
      const fromUs = from * factor;
      shared.change(isDrag ? { fromUs, toUs: to * factor, nowUs: fromUs } : { nowUs: to * factor });
    } else if (isDrag && this.shown.chart.x.categories === undefined) {
      this.#own = [from, to];
      this.redraw();
    }
  }

  /** Marks the instant in all charts, and names the nearest line. */
  #point(left: number, top: number): void {
    if (this.#drawn === undefined) return;
    const { shared, factor, tell } = this.context;
    const at = this.#valueAt(left);
    if (shared === undefined) this.#placeCursor(at * factor);
    else shared.pointAt(at * factor);
    const found = this.#nearest(at, top);
    tell(readoutOf(this.shown.chart, at, found));
    this.#name(found?.number);
  }

  /** The line that passes near the pointer, and its point; a chart with one line needs no pointer near it. */
  #nearest(at: number, top: number): PointedAt | undefined {
    const { rect } = this.#drawn as PageChart;
    const { hidden } = this.shown;
    const height = rect.bottom - rect.top;
    let best: PointedAt | undefined;
    let least = this.#part.series.length === 1 ? Infinity : NEAR;
    for (const { name, series } of legendOf(this.#part)) {
      if (hidden.has(name)) continue;
      for (const number of series) {
        const { x = [], y = [], kind, isStepped } = this.#part.series[number] ?? {};
        const i = pointAt(x, at, kind === 'step' || isStepped === true);
        const value = y[i];
        if (value === null || value === undefined) continue;
        const far = Math.abs((1 - this.#heightOf(value)) * height - top);
        if (far > least) continue;
        least = far;
        best = { number, at: x[i] as number, value };
      }
    }
    return best;
  }

  #heightOf(value: number): number {
    const { from, to } = this.#drawn as PageChart;
    return shareOf(value, [from[1], to[1]], this.shown.chart.y);
  }

  /** Lets a line stand out: that at the pointer, or that of the flow that the reader has chosen. */
  #name(number: number | undefined): void {
    const flow = this.context.shared?.look.flow ?? null;
    // Series of flows are named `3: h4 to h1`.
    const chosen = this.#part.series.findIndex(({ name }) => name.startsWith(`${flow ?? ''}: `));
    const named = number ?? (flow === null || chosen < 0 ? undefined : chosen);
    const isAlone = this.#part.series.length === 1;
    if (this.#drawn === undefined || isAlone) return;
    if (number !== undefined && number === this.#named) return;
    this.#named = number;
    const kind = named === undefined ? undefined : (this.#part.series[named]?.kind ?? 'line');
    const isLine = kind !== undefined && kind !== 'points' && kind !== 'bars';
    this.element.classList.toggle('has-line', isLine);
    this.#line.replaceChildren();
    if (named !== undefined && isLine) this.#drawLine(named);
  }

  #drawLine(number: number): void {
    const { rect } = this.#drawn as PageChart;
    const { x = [], y = [], kind, isStepped } = this.#part.series[number] ?? {};
    const [width, height] = [rect.right - rect.left, rect.bottom - rect.top];
    const isStep = kind === 'step' || isStepped === true;
    let path = '';
    let isOn = false;
    x.forEach((at, i) => {
      const value = y[i];
      if (value === null || value === undefined) {
        isOn = false;
        return;
      }
      const left = (rect.left + this.#shareOf(at) * width).toFixed(1);
      const top = (rect.top + (1 - this.#heightOf(value)) * height).toFixed(1);
      path += isOn ? `${isStep ? `H${left}V` : `L${left} `}${top}` : `M${left} ${top}`;
      isOn = true;
    });
    const line = document.createElementNS(SVG, 'path');
    const entry = legendOf(this.#part).find(({ series }) => series.includes(number));
    line.setAttribute('d', path);
    line.setAttribute(
      'stroke',
      entry?.isReference === true ? REFERENCE_COLOR : colorOf(entry?.color ?? 0),
    );
    this.#line.append(line);
  }
}

const SVG = 'http://www.w3.org/2000/svg';
const OUTSIDE = 9999;

function part(name: string): HTMLDivElement {
  const made = document.createElement('div');
  made.className = name;
  return made;
}

interface PointedAt {
  /** Place of the series in its chart. */
  readonly number: number;
  readonly at: number;
  readonly value: number;
}

/** The point at which a step stands, or that is nearest. */
function pointAt(x: readonly number[], at: number, isHeld: boolean): number {
  const behind = lowerBound(x, at);
  if (x[behind] === at) return behind;
  if (isHeld || behind === x.length) return behind - 1;
  const before = x[behind - 1];
  return before !== undefined && at - before < (x[behind] as number) - at ? behind - 1 : behind;
}

/** Share of the way along an axis. */
function shareOf(value: number, [from, to]: Span, { isLogarithmic, categories }: Axis): number {
  if (categories !== undefined) return (value + 0.5) / categories.length;
  if (isLogarithmic !== true) return (value - from) / (to - from);
  return Math.log(Math.max(value, from) / from) / Math.log(to / from);
}

function readoutOf({ x, y, series }: Chart, at: number, found: PointedAt | undefined): string {
  const place = found?.at ?? at;
  const where = x.categories?.[place] ?? valueText(place, x, found === undefined ? 4 : 6);
  if (found === undefined) return `${x.name ?? x.label}: ${where}`;
  const name = series[found.number]?.name ?? '';
  return `${where}: ${name}, ${y.name ?? y.label} ${valueText(found.value, y, 4)}`;
}

/** A value of an axis with its unit. */
const valueText = (value: number, { unit = '' }: Axis, digits: number): string =>
  `${Number(value.toPrecision(digits))} ${unit}`.trimEnd();
