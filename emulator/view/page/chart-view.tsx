import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Chart } from '../data/chart';
import type { RunView } from '../data/page-data';
import { ChartFrame } from './chart-frame';
import { ChartPicture } from './chart-picture';
import type { Moment } from './moment';
import { calmEnd } from './shown-part';

export interface ChartProps {
  readonly chart: Chart;
  /** Where time is shared. */
  readonly moment: Moment | undefined;
  readonly run: RunView | undefined;
}

/** One chart: what it shows, as picture and as words, and what can be done with it. */
export function ChartView({ chart, moment, run }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<ChartPicture | undefined>(undefined);
  const [isFull, setFull] = useState(true);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [readout, setReadout] = useState('');
  const shared = chart.followsTime === true ? moment : undefined;
  const factor = run?.timeFactor ?? 1;
  const shown = useMemo(() => ({ chart, isFull, hidden }), [chart, isFull, hidden]);
  const hasPeaks = useMemo(() => calmEnd(chart) !== undefined, [chart]);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const made = new ChartPicture(element, shown, { shared, factor, tell: setReadout });
    picture.current = made;
    return () => made.end();
  }, [shared, factor]);
  useEffect(() => picture.current?.show(shown), [shown]);

  return (
    <ChartFrame
      chart={chart}
      hidden={hidden}
      readout={readout}
      isFull={isFull}
      moment={shared}
      toggle={(name) => setHidden(toggled(hidden, name))}
      hasPeaks={hasPeaks}
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
