import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { figureAt } from '../../figures/dictionary';
import { figureColumns } from '../../figures/figure-columns';
import { figureText } from '../../figures/figure-text';
import { causeGroups, causeText, causeVerdict, placeText } from '../../result/cause-text';
import type { CauseGroup } from '../../result/cause-text';
import type { FlowCauses } from '../../result/flow-causes';
import type { RunView } from '../data/page-data';
import { LatestRequest, Requests } from './latest-request';
import type { Moment } from './moment';
import { colorOf } from './palette';

/** Answers why a flow was slow: from the page's own data, or from a server that runs it again. */
export function CausesView({
  flow,
  run,
  moment,
  canAsk,
}: {
  readonly flow: number;
  readonly run: RunView;
  readonly moment: Moment;
  /** True if whoever holds the run can run it again. */
  readonly canAsk: boolean;
}) {
  const known = run.causes?.find((each) => each.flow === flow);
  const [asked, setAsked] = useState<FlowCauses | undefined>();
  const [state, setState] = useState('');
  const requester = useContext(Requests);
  const request = useMemo(() => new LatestRequest(requester), [requester]);
  useEffect(() => {
    setState('');
    return () => request.end();
  }, [request, flow]);
  const found = known ?? (asked?.flow === flow ? asked : undefined);
  if (found !== undefined) return <Causes causes={found} moment={moment} />;
  if (!canAsk) return null;
  const ask = async (): Promise<void> => {
    setState('The run is repeated until the flow is complete …');
    const answer = await request.get(`why?flow=${flow}`);
    if (answer === undefined) return;
    setState(typeof answer === 'string' ? answer : '');
    if (typeof answer !== 'string') setAsked(answer.found as FlowCauses);
  };
  return (
    <p class="made">
      <button type="button" onClick={() => void ask()}>
        Why was it slow?
      </button>
      <span role="status">{state}</span>
    </p>
  );
}

/** Less than this has no room in the bar, and no row. */
const LEAST_SHARE = 0.001;

function Causes({ causes, moment }: { readonly causes: FlowCauses; readonly moment: Moment }) {
  const groups = causeGroups(causes).filter(({ share }) => share >= LEAST_SHARE);
  const cells = figureColumns(groups, [
    { path: 'causes.*.parts.*.timeUs', of: ({ timeUs }) => timeUs },
    { path: 'causes.*.parts.*.share', of: ({ share }) => share },
  ]);
  const [heads = [], ...rows] = cells;
  return (
    <div class="causes">
      <h4>Why it took so long</h4>
      <p>{causeVerdict(causes)}</p>
      <div class="shares" aria-hidden="true">
        {groups.map(({ share }, i) => (
          <span key={i} style={{ width: `${share * 100}%`, background: colorOf(i) }} />
        ))}
      </div>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Time of the flow by cause">
        <table>
          <thead>
            <tr>
              {['cause', 'where', ...heads, 'half of it', 'behind flows'].map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group, i) => (
              <tr key={i}>
                <th scope="row">
                  <span class="key" style={{ background: colorOf(i) }} aria-hidden="true" />
                  {causeText(group)}
                </th>
                <td>{placeText(group.at)}</td>
                {(rows[i] ?? []).map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
                <td>
                  <button type="button" onClick={() => show(group, moment)}>
                    {instant(group.fromUs)} to {instant(group.toUs)}
                  </button>
                </td>
                <td>{flowsText(group, moment)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const instant = (us: number): string => figureText(figureAt('causes.*.parts.*.fromUs'), us);

/** All charts, the network and the form for packets go to the moment. */
const show = ({ fromUs, toUs }: CauseGroup, moment: Moment): void =>
  moment.change({ fromUs, toUs, nowUs: fromUs });

const FLOWS_NAMED = 4;

/** The flows that were before it; each is a button that chooses it. */
function flowsText({ flows }: CauseGroup, moment: Moment) {
  const rest = flows.length - FLOWS_NAMED;
  return (
    <>
      {flows.slice(0, FLOWS_NAMED).map((flow) => (
        <button
          type="button"
          key={flow}
          aria-label={`Choose flow ${flow}`}
          onClick={() => moment.change({ flow })}
        >
          {flow}
        </button>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
