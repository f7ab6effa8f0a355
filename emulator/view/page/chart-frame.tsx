import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Chart } from '../data/chart';
import { dashesOf } from '../picture/chart-lines';
import { isLegible, legendOf } from '../picture/legend';
import type { LegendEntry } from '../picture/legend';
import { ChartFiles } from './chart-files';
import type { Moment } from './moment';
import { colorOf, REFERENCE_COLOR } from './palette';

export interface FrameProps {
  readonly chart: Chart;
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (name: string) => void;
  readonly readout: string;
  readonly hasPeaks: boolean;
  readonly isFull: boolean;
  readonly togglePeaks: () => void;
  readonly moment: Moment | undefined;
  readonly children: ComponentChildren;
}

/** Title, legend, picture and what belongs to it. */
export function ChartFrame(props: FrameProps) {
  const { chart, readout, hasPeaks, isFull, togglePeaks, moment, children } = props;
  const { id, title, caption, wholeFile } = chart;
  return (
    <section class="chart" aria-labelledby={`${id}-title`} id={`chart-${id}`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p class="caption">{caption}</p>
      <Legend {...props} />
      <div
        class="stage"
        tabIndex={0}
        role="group"
        aria-label={`${title}: ${summaryOf(chart)}`}
        onKeyDown={(event) => moment !== undefined && steer(event, moment)}
      >
        {children}
      </div>
      <p class="readout">{readout}</p>
      <div class="foot">
        <ChartFiles chart={chart} />
        {hasPeaks && (
          <button type="button" aria-pressed={isFull} onClick={togglePeaks}>
            {isFull ? 'without the peaks' : 'up to the peaks'}
          </button>
        )}
        {wholeFile !== undefined && <span>every sample: {wholeFile} beside result.json</span>}
      </div>
    </section>
  );
}

function Legend({ chart, hidden, toggle }: FrameProps) {
  const entries = useMemo(() => legendOf(chart), [chart]);
  if (chart.series.length < 2) return null;
  if (!isLegible(entries)) {
    return <p class="caption">{chart.series.length} lines; the pointer names the nearest.</p>;
  }
  return (
    <ul class="legend" aria-label={`Lines of ${chart.title}`}>
      {entries.map((entry) => (
        <li key={entry.name}>
          <button
            type="button"
            aria-pressed={!hidden.has(entry.name)}
            onClick={() => toggle(entry.name)}
          >
            <Swatch {...entry} />
            {entry.name}
            {entry.series.length > 1 && ` (${entry.series.length})`}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Swatch({ isReference, color }: LegendEntry) {
  const dashes = isReference ? [4, 3] : dashesOf(color);
  return (
    <svg class="swatch" viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
      <line
        x1={0}
        y1={4}
        x2={20}
        y2={4}
        style={{ stroke: isReference ? REFERENCE_COLOR : colorOf(color) }}
        stroke-width={isReference ? 1.5 : 4}
        {...(dashes.length > 0 && { 'stroke-dasharray': dashes.join(' ') })}
      />
    </svg>
  );
}

/** The chart in words, for those who do not see it. */
function summaryOf({ series, x, y }: Chart): string {
  const parts = series
    .filter(({ kind }) => kind !== 'reference')
    .slice(0, 3)
    .map(({ name, y: values }) => `${name} ${rangeText(values)}`);
  const rest = series.length - parts.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return `${y.label} over ${x.label}; ${parts.join('; ')}${more}`;
}

function rangeText(values: readonly (number | null)[]): string {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? 'without values' : `from ${low} to ${high}`;
}

/** Arrows move through time, plus and minus zoom, 0 shows the whole run. */
export function steer(event: KeyboardEvent, moment: Moment): void {
  const { nowUs, fromUs, toUs } = moment.look;
  const step = (toUs - fromUs) / (event.shiftKey ? 10 : 100);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moment.change({ nowUs: nowUs + step }),
    ArrowLeft: () => moment.change({ nowUs: nowUs - step }),
    Home: () => moment.change({ nowUs: fromUs }),
    End: () => moment.change({ nowUs: toUs }),
    '+': () => moment.zoom(0.5),
    '=': () => moment.zoom(0.5),
    '-': () => moment.zoom(2),
    '0': () => moment.whole(),
  };
  const act = keys[event.key];
  if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}
