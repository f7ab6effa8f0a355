import { figureAt } from '../../figures/dictionary';
import { figureColumns } from '../../figures/figure-columns';
import type { FigureColumn } from '../../figures/figure-columns';
import { figureText } from '../../figures/figure-text';
import type {
  ControlState,
  TracedHop,
  TracedLink,
  TracedMoment,
  TracedPacket,
  TracedVerdict,
} from '../../result/packet-story';
import { packetEnds, packetName } from './packet-name';
import { Table } from './sections';

interface StoryProps {
  readonly traced: TracedMoment;
  readonly chosen: number;
  readonly choose: (id: number) => void;
}

/** One packet from its host to the consequences: hops, answer, what the algorithm made of it. */
export function PacketStory({ traced: { packets }, chosen, choose }: StoryProps) {
  const packet = packets.find(({ id }) => id === chosen);
  if (packet === undefined) return null;
  const answer = packets.find((each) => each !== packet && each.verdict?.of === packet.id);
  const verdict = packet.verdict ?? answer?.verdict;
  const next = packets.find(({ id }) => id === verdict?.next);
  return (
    <div class="life" aria-live="polite">
      <h3>
        {packetName(packet)}: {packetEnds(packet)}
      </h3>
      <p>
        {packet.bytes} bytes, sent at {at(packet.sentUs)}
        {packet.reason === undefined ? '' : `. What held it back until then: ${packet.reason}`}.
      </p>
      <Hops packet={packet} />
      {answer !== undefined && (
        <>
          <p>
            Answered by {packetName(answer)}, which left at {at(answer.sentUs)} and arrived{' '}
            {answer.receivedUs === null
              ? 'beyond what was looked at'
              : `at ${at(answer.receivedUs)}`}
            .
          </p>
          <Hops packet={answer} />
        </>
      )}
      {verdict === undefined ? (
        <p>No acknowledgement of it was seen within the time that was looked at.</p>
      ) : (
        <VerdictView verdict={verdict} />
      )}
      {next !== undefined && (
        <p class="made">
          <button type="button" onClick={() => choose(next.id)}>
            Follow the next packet, {packetName(next)}
          </button>
          <span>
            left at {at(next.sentUs)} because of {next.reason ?? 'nothing in particular'}
          </span>
        </p>
      )}
    </div>
  );
}

const hopFigure = (key: string, of: FigureColumn<TracedHop>['of']): FigureColumn<TracedHop> => ({
  path: `packet.hops.*.${key}`,
  of,
});

const HOP_COLUMNS = [
  hopFigure('arrivedUs', ({ arrivedUs }) => arrivedUs),
  hopFigure('leftUs', ({ leftUs }) => leftUs),
  hopFigure('waitedNs', ({ arrivedUs, leftUs }) =>
    leftUs === null ? null : Math.round((leftUs - arrivedUs) * 1000),
  ),
  hopFigure('timestampNs', ({ wrote }) => wrote?.timestampNs),
  hopFigure('txBytes', ({ wrote }) => wrote?.txBytes),
  hopFigure('queueBytes', ({ wrote }) => wrote?.queueBytes),
  hopFigure('capacityGbps', ({ wrote }) => wrote?.capacityGbps),
];

/** Hops of a packet: nodes, waiting times, and the telemetry written into it. */
function Hops({ packet }: { readonly packet: TracedPacket }) {
  const { hops } = packet;
  if (hops.length === 0) return <p>It has met no switch.</p>;
  const [heads = [], ...rows] = figureColumns(hops, HOP_COLUMNS);
  const table = [
    ['switch', 'port', ...heads, 'id in telemetry'],
    ...hops.map(({ node, port, leftUs, wrote }, i) => [
      node,
      leftUs === null ? 'dropped' : String(port ?? ''),
      ...(rows[i] ?? []),
      wrote === null ? 'wrote nothing' : String(wrote.switchId),
    ]),
  ];
  return (
    <div class="hops">
      <Table rows={table} title={`Hops of ${packetName(packet)}`} />
    </div>
  );
}

const linkFigure = (
  key: keyof TracedLink,
  of: FigureColumn<TracedLink>['of'],
): FigureColumn<TracedLink> => ({ path: `packet.links.*.${key}`, of });

const LINK_COLUMNS = [
  linkFigure('intervalNs', ({ intervalNs }) => intervalNs),
  linkFigure('rateGbps', ({ rateGbps }) => rateGbps),
  linkFigure('queueBytes', ({ queueBytes }) => queueBytes),
  linkFigure('u', ({ u }) => u),
];

function VerdictView({ verdict }: { readonly verdict: TracedVerdict }) {
  const { links, before, after, steps, kind } = verdict;
  const [heads = [], ...rows] = figureColumns(links, LINK_COLUMNS);
  const table = [
    ['link', ...heads, ''],
    ...links.map(({ name, isBottleneck }, i) => [
      name,
      ...(rows[i] ?? []),
      isBottleneck ? 'bottleneck' : '',
    ]),
  ];
  return (
    <>
      <p>
        What the algorithm made of it ({kind}):
        {links.length === 0 ? ' there was no telemetry to compare it with.' : ''}
      </p>
      {links.length > 0 && <Table rows={table} title="u of each link" />}
      <Table rows={stateRows(before, after)} title="Before and after" />
      <ol class="story">
        {steps.map(({ lines, text }) => (
          <li key={lines}>
            line {lines}: {text}
          </li>
        ))}
      </ol>
    </>
  );
}

const STATE = [
  'U',
  'windowBytes',
  'referenceWindowBytes',
  'rateGbps',
  'incStage',
  'inflightBytes',
] as const satisfies readonly (keyof ControlState)[];

/** Rows by symbols of the drafts, with the state before and after. */
function stateRows(before: ControlState, after: ControlState): string[][] {
  const rows = STATE.map((key) => {
    const figure = figureAt(`packet.state.${key}`);
    const texts = [before, after].map((state) => figureText(figure, state[key]));
    return [figure.symbol ?? figure.name, ...texts];
  });
  return [['', 'before', 'after'], ...rows];
}

const INSTANT = figureAt('packet.sentUs');
const at = (us: number): string => figureText(INSTANT, us);
