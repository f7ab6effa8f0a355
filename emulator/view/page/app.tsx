import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Chart } from '../data/chart';
import type { PageData, Session } from '../data/page-data';
import { ChartView } from './chart-view';
import { DifferenceView } from './difference-view';
import { FlowsView } from './flows-view';
import { Draws } from './latest-request';
import { Moment } from './moment';
import { NetworkView } from './network-view';
import { followScheme, isDark } from './palette';
import { Player } from './player';
import { Facts, Section } from './sections';
import type { Source } from './source';
import { TraceView } from './trace-view';

/** The whole page. */
export function App({
  first,
  source,
  session,
  isPart = false,
}: {
  readonly first: PageData;
  readonly source: Source;
  /** Absent in a file. */
  readonly session: Session | undefined;
  /** True inside of a page that has more to show. */
  readonly isPart?: boolean;
}) {
  const Frame = isPart ? 'div' : 'main';
  const [data, setData] = useState(first);
  const [status, setStatus] = useState('');
  // Legends have their colours from here, pictures draw themselves anew.
  const [, setDark] = useState(isDark());
  useEffect(() => followScheme(() => setDark(isDark())), []);
  const moment = useMemo(
    () => (first.run === undefined ? undefined : new Moment(first.run, session?.isLive === true)),
    [first.run === undefined],
  );
  useEffect(() => {
    if (moment === undefined) return undefined;
    return source.follow(moment, {
      data: (next) => {
        setData(next);
        if (next.run !== undefined) moment.grow(next.run.durationUs);
      },
      status: setStatus,
    });
  }, [moment, source]);
  const { facts, leading = [], opening, charts, closing, run } = data;
  const chartView = (chart: Chart) => (
    <ChartView key={chart.id} chart={chart} moment={moment} run={run} />
  );
  return (
    <Draws.Provider value={session?.canDraw === true}>
      <Frame>
        <Header {...data} status={status} />
        {facts.length > 0 && <Facts facts={facts} />}
        {leading.length > 0 && <div class="leading">{leading.map(chartView)}</div>}
        {opening.map((section) => (
          <Section key={section.title} {...section} />
        ))}
        {run !== undefined && moment !== undefined && (
          <>
            <Player moment={moment} run={run} />
            <NetworkView network={run.network} moment={moment} />
          </>
        )}
        {charts.map(chartView)}
        {run !== undefined && moment !== undefined && (
          <>
            <FlowsView run={run} moment={moment} canAsk={session?.canTravel === true} />
            {session?.canTravel === true && <TraceView run={run} moment={moment} />}
            {session?.canCompare === true && <DifferenceView moment={moment} />}
          </>
        )}
        {closing.map((section) => (
          <Section key={section.title} {...section} />
        ))}
      </Frame>
    </Draws.Provider>
  );
}

function Header({
  title,
  subtitle,
  verdict,
  command,
  status,
}: PageData & { readonly status: string }) {
  return (
    <header>
      <h1>{title}</h1>
      {verdict !== undefined && <p class="verdict">{verdict}</p>}
      <p class="sub">{subtitle}</p>
      <p class="made">
        <code>{command}</code>
      </p>
      <p class="status" role="status">
        {status}
      </p>
    </header>
  );
}
