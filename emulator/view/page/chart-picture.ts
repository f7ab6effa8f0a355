import type { Chart } from '../data/chart';
import { drawPageChart } from '../picture/draw-picture';
import { ChartScale } from './chart-scale';
import { lineOf, nearestPoint, readoutOf, SVG } from './pointed-line';
import { entryName } from '../picture/legend';
import { pageStyle } from '../picture/picture-style';
import type { Ink } from '../picture/picture-style';
import type { Moment } from './moment';
import { followScheme, ink, LIGHT_INK } from './palette';
import { calmEnd, peakAbove, shownPart } from './shown-part';
import type { Span } from './shown-part';
import { WhileShown } from './while-shown';

const HEIGHT = 260;
/** Sheets of paper, in the pixels of which a sheet has 96 in an inch; its marks are left out, so nothing is cut. */
const PRINTED: Sheet = { width: 680, height: 190, inks: LIGHT_INK, isFull: true };
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
  /** Present once the chart is drawn. */
  #scale: ChartScale | undefined;
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
    const yMax = isFull ? undefined : calmEnd(this.#visible(this.#part));
    const drawn = drawPageChart(this.#part, pageStyle(width, height, inks), {
      ...(span !== undefined && { x: span }),
      ...(yMax !== undefined && { yMax }),
      hidden,
    });
    this.#scale = new ChartScale(drawn, chart);
    this.#holder.innerHTML = drawn.svg;
    const { left, top, right, bottom } = drawn.rect;
    const { style } = this.#over;
    [style.left, style.top] = [`${left}px`, `${top}px`];
    [style.width, style.height] = [`${right - left}px`, `${bottom - top}px`];
    this.#name(undefined);
    this.#placeNow();
    this.#markCut(this.#scale);
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
    const share = this.#scale?.shareOf(value) ?? NaN;
    const isInside = share >= 0 && share <= 1;
    return isInside ? (share * (this.#scale?.width ?? 0)).toFixed(1) : String(-OUTSIDE);
  }

  /** The chart without the lines that the reader has left out. */
  #visible(chart: Chart): Chart {
    const { hidden } = this.shown;
    return { ...chart, series: chart.series.filter((one) => !hidden.has(entryName(one))) };
  }

  /** Says at the upper edge how far the highest peak goes on beyond a cut axis. */
  #markCut(scale: ChartScale): void {
    const { from, to } = scale.drawn;
    const { chart, isFull } = this.shown;
    const seen = this.#visible(chart);
    const peak = isFull ? undefined : peakAbove(seen, to[1], [from[0], to[0]]);
    this.#cut.textContent =
      peak === undefined ? '' : `\u2191 ${Number(peak.y.toPrecision(4))}: cut here`;
    if (peak === undefined) return;
    const share = scale.shareOf(peak.x);
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
    const scale = this.#scale;
    if (begun === undefined || scale === undefined) return;
    const { shared, factor } = this.context;
    const [from = 0, to = 0] = [begun, pixels].sort((a, b) => a - b).map((p) => scale.valueAt(p));
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
    const scale = this.#scale;
    if (scale === undefined) return;
    const { shared, factor, tell } = this.context;
    const at = scale.valueAt(left);
    if (shared === undefined) this.#placeCursor(at * factor);
    else shared.pointAt(at * factor);
    const found = nearestPoint(this.#part, scale, { at, top, hidden: this.shown.hidden });
    tell(readoutOf(this.shown.chart, at, found));
    this.#name(found?.number);
  }

  /** Lets a line stand out: that at the pointer, or that of the flow that the reader has chosen. */
  #name(number: number | undefined): void {
    const flow = this.context.shared?.look.flow ?? null;
    // Series of flows are named `3: h4 to h1`.
    const chosen = this.#part.series.findIndex(({ name }) => name.startsWith(`${flow ?? ''}: `));
    const named = number ?? (flow === null || chosen < 0 ? undefined : chosen);
    const isAlone = this.#part.series.length === 1;
    if (this.#scale === undefined || isAlone) return;
    if (number !== undefined && number === this.#named) return;
    this.#named = number;
    const kind = named === undefined ? undefined : (this.#part.series[named]?.kind ?? 'line');
    const isLine = kind !== undefined && kind !== 'points' && kind !== 'bars';
    this.element.classList.toggle('has-line', isLine);
    this.#line.replaceChildren();
    if (named !== undefined && isLine) this.#line.append(lineOf(this.#part, named, this.#scale));
  }
}

const OUTSIDE = 9999;

function part(name: string): HTMLDivElement {
  const made = document.createElement('div');
  made.className = name;
  return made;
}
