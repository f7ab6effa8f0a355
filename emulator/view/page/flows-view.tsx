import { useEffect, useState } from 'preact/hooks';
import { figureAt } from '../../figures/dictionary';
import { cellText, headOf } from '../../figures/figure-text';
import type { FlowView, RunView } from '../data/page-data';
import { durationText } from '../data/duration-text';
import { CausesView } from './causes-view';
import type { Moment } from './moment';

const ROWS = 50;

/** Flows as a table; the chosen one is highlighted in all charts, and described. */
export function FlowsView({
  run,
  moment,
  canAsk,
}: {
  readonly run: RunView;
  readonly moment: Moment;
  /** True if whoever holds the run can run it again. */
  readonly canAsk: boolean;
}) {
  const [chosen, setChosen] = useState(moment.look.flow);
  const [page, setPage] = useState(0);
  useEffect(() => moment.follow(({ flow }) => setChosen(flow)), [moment]);
  const { flows, flowsOmitted } = run;
  const shown = flows.slice(page * ROWS, (page + 1) * ROWS);
  const flow = flows.find(({ id }) => id === chosen);
  const choose = (id: number): void => moment.change({ flow: id === chosen ? null : id });
  return (
    <section aria-labelledby="flows-title">
      <h2 id="flows-title">Flows</h2>
      <p class="caption">A chosen flow stands out in the charts.</p>
      {flow !== undefined && <Life flow={flow} run={run} moment={moment} canAsk={canAsk} />}
      <div class="scrolls" tabIndex={0} role="region" aria-label="Table of flows">
        <table>
          <thead>
            <tr>
              {headsOf(run).map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <Row
                key={each.id}
                each={each}
                run={run}
                choose={choose}
                isChosen={each.id === chosen}
              />
            ))}
          </tbody>
        </table>
      </div>
      {flows.length > ROWS && (
        <Pages page={page} setPage={setPage} last={(flows.length - 1) / ROWS} />
      )}
      {flowsOmitted > 0 && <p>and {flowsOmitted} more, in flows.csv</p>}
    </section>
  );
}

const FCT = figureAt('flows.*.fctUs');
const SLOWDOWN = figureAt('flows.*.slowdown');

function headsOf({ timeUnit, timeFactor }: RunView): string[] {
  const time = { unit: timeUnit, factor: timeFactor };
  return [
    'flow',
    headOf(figureAt('flows.*.bytes'), { unit: 'bytes', factor: 1 }),
    headOf(figureAt('flows.*.startUs'), time),
    headOf(FCT, time),
    headOf(SLOWDOWN, { unit: '', factor: 1 }),
    headOf(figureAt('flows.*.retransmittedSegments'), { unit: 'segments', factor: 1 }),
  ];
}

interface RowProps {
  readonly each: FlowView;
  readonly run: RunView;
  readonly isChosen: boolean;
  readonly choose: (id: number) => void;
}

const Row = ({ each, run, isChosen, choose }: RowProps) => (
  <tr class={isChosen ? 'chosen' : ''}>
    <th scope="row">
      <button type="button" aria-pressed={isChosen} onClick={() => choose(each.id)}>
        {each.id}: {each.source} to {each.destination}
      </button>
    </th>
    <td>{each.bytes.toLocaleString('en-GB')}</td>
    <td>{Number((each.startUs / run.timeFactor).toFixed(3))}</td>
    <td>
      {each.fctUs === null
        ? 'unfinished'
        : cellText(FCT, each.fctUs, { unit: '', factor: run.timeFactor })}
    </td>
    <td>{cellText(SLOWDOWN, each.slowdown, { unit: '', factor: 1 })}</td>
    <td>{each.retransmittedSegments}</td>
  </tr>
);

const Pages = ({
  page,
  setPage,
  last,
}: {
  readonly page: number;
  readonly setPage: (page: number) => void;
  readonly last: number;
}) => (
  <p class="made">
    <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
      Previous flows
    </button>
    <button type="button" disabled={page + 1 > last} onClick={() => setPage(page + 1)}>
      Next flows
    </button>
  </p>
);

/** Lifetime of a flow: a bar from first packet to last in the time of the run, and its figures. */
function Life({
  flow,
  run,
  moment,
  canAsk,
}: {
  readonly flow: FlowView;
  readonly run: RunView;
  readonly moment: Moment;
  readonly canAsk: boolean;
}) {
  const { startUs, fctUs, deliveredBytes, bytes } = flow;
  const endUs = fctUs === null ? run.durationUs : startUs + fctUs;
  const share = (us: number): string => `${((us / run.durationUs) * 100).toFixed(2)}%`;
  const rate = ((deliveredBytes * 8) / Math.max(endUs - startUs, 1e-9) / 1000).toPrecision(3);
  const facts = [
    `starts at ${durationText(startUs, run)}`,
    fctUs === null
      ? `unfinished: ${deliveredBytes} of ${bytes} bytes have arrived`
      : `last acknowledgement at ${durationText(endUs, run)}`,
    `${rate} Gb/s of payload on average`,
    ...(flow.slowdown === null ? [] : [`${flow.slowdown.toFixed(2)} times as long as alone`]),
    `${flow.retransmittedSegments} segments sent again`,
  ];
  return (
    <div class="life" aria-live="polite">
      <h3>
        Life of flow {flow.id}: {flow.source} to {flow.destination}
      </h3>
      <div class="bar" aria-hidden="true">
        <span style={{ left: share(startUs), width: share(endUs - startUs) }} />
      </div>
      <p>{facts.join('; ')}.</p>
      <p class="made">
        <button
          type="button"
          onClick={() => moment.change({ fromUs: startUs, toUs: endUs, nowUs: startUs })}
        >
          Show its time only
        </button>
      </p>
      {fctUs !== null && <CausesView flow={flow.id} run={run} moment={moment} canAsk={canAsk} />}
    </div>
  );
}
