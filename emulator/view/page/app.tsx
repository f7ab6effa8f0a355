import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Chart } from '../data/chart';
import type { PageData, Session } from '../data/page-data';
import { PageCommand } from './chart-files';
import { ChartView } from './chart-view';
import { Details } from './details-view';
import { useOpenInPrint } from './fold';
import { Moment } from './moment';
import { NetworkView } from './network-view';
import { Player } from './player';
import { Facts, Section } from './sections';
import type { Source } from './source';

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
  useOpenInPrint();
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
  const { facts, opening, closing, run } = data;
  const { leading, rest } = chartsOf(data);
  const chartView = (chart: Chart) => (
    <ChartView key={chart.id} chart={chart} moment={moment} run={run} />
  );
  const sections = [...opening, ...closing];
  const isUrgent = (i: number): boolean => i < opening.length;
  const standing = (urgent: boolean) =>
    sections
      .filter(({ subject }, i) => subject === undefined && isUrgent(i) === urgent)
      .map((section) => <Section key={section.title} {...section} />);
  return (
    <PageCommand.Provider value={data.command}>
      <Frame class="page">
        <Header {...data} status={status} />
        {facts.length > 0 && <Facts facts={facts} />}
        {leading.length > 0 && <div class="charts leading">{leading.map(chartView)}</div>}
        {standing(true)}
        {run === undefined || moment === undefined ? (
          <div class="charts">{rest.map(chartView)}</div>
        ) : (
          <>
            <Player moment={moment} run={run} />
            <div class="beside">
              <div class="watched">
                <NetworkView run={run} moment={moment} />
              </div>
              <Details
                charts={rest}
                chartView={chartView}
                sections={sections}
                run={run}
                moment={moment}
                session={session}
              />
            </div>
          </>
        )}
        {standing(false)}
      </Frame>
    </PageCommand.Provider>
  );
}

/** The charts of the first screen, and the others. */
function chartsOf({ leading, charts, run }: PageData) {
  if (leading !== undefined) return { leading, rest: charts };
  const count = run === undefined ? 0 : 1;
  return { leading: charts.slice(0, count), rest: charts.slice(count) };
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
