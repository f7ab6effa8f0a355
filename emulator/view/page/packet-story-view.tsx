import type {
  ControlState,
  TracedMoment,
  TracedPacket,
  TracedVerdict,
} from '../../result/packet-story';
import { packetName } from './packet-name';
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
        {packetName(packet)}: {packet.from} to {packet.to}
      </h3>
      <p>
        {packet.bytes} bytes, sent at {packet.sentUs.toFixed(3)} us
        {packet.reason === undefined ? '' : `. What held it back until then: ${packet.reason}`}.
      </p>
      <Hops packet={packet} />
      {answer !== undefined && (
        <>
          <p>
            Answered by {packetName(answer)}, which left at {answer.sentUs.toFixed(3)} us and
            arrived at {answer.receivedUs?.toFixed(3) ?? 'no time that was looked at'} us.
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
            left at {next.sentUs.toFixed(3)} us because of {next.reason ?? 'nothing in particular'}
          </span>
        </p>
      )}
    </div>
  );
}

/** Hops of a packet: nodes, waiting times, and the telemetry written into it. */
function Hops({ packet }: { readonly packet: TracedPacket }) {
  const { hops } = packet;
  if (hops.length === 0) return <p>It has met no switch.</p>;
  const heads = ['switch', 'arrived (us)', 'left (us)', 'waited (ns)', 'port'];
  const written = ['id', 'clock (ns)', 'txBytes', 'qlen (B)', 'B (Gb/s)'];
  const rows = hops.map(({ node, arrivedUs, leftUs, port, wrote }) => [
    node,
    arrivedUs.toFixed(3),
    leftUs?.toFixed(3) ?? 'dropped',
    leftUs === null ? '' : ((leftUs - arrivedUs) * 1000).toFixed(0),
    port === null ? '' : String(port),
    ...(wrote === null
      ? ['wrote nothing', '', '', '', '']
      : [
          String(wrote.switchId),
          String(wrote.timestampNs),
          String(wrote.txBytes),
          String(wrote.queueBytes),
          String(wrote.capacityGbps),
        ]),
  ]);
  const table = [[...heads, ...written], ...rows];
  return (
    <div class="hops">
      <Table rows={table} title={`Hops of ${packetName(packet)}`} />
    </div>
  );
}

function VerdictView({ verdict }: { readonly verdict: TracedVerdict }) {
  const { links, before, after, steps, kind } = verdict;
  const heads = ['link', 'interval (ns)', 'txRate (Gb/s)', 'qlen (B)', 'u', ''];
  const rows = links.map(({ name, intervalNs, rateGbps, queueBytes, u, isBottleneck }) => [
    name,
    String(intervalNs),
    rateGbps.toFixed(2),
    String(queueBytes),
    u.toFixed(4),
    isBottleneck ? 'bottleneck' : '',
  ]);
  return (
    <>
      <p>
        What the algorithm made of it ({kind}):
        {links.length === 0 ? ' there was no telemetry to compare it with.' : ''}
      </p>
      {links.length > 0 && <Table rows={[heads, ...rows]} title="u of each link" />}
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

function stateRows(before: ControlState, after: ControlState): string[][] {
  const row = (name: string, of: (state: ControlState) => string): string[] => [
    name,
    of(before),
    of(after),
  ];
  return [
    ['', 'before', 'after'],
    row('U', ({ U }) => U.toFixed(5)),
    row('W (B)', ({ windowBytes }) => windowBytes.toFixed(1)),
    row('W^c (B)', ({ referenceWindowBytes }) => referenceWindowBytes.toFixed(1)),
    row('R (Gb/s)', ({ rateGbps }) => rateGbps.toFixed(3)),
    row('incStage', ({ incStage }) => String(incStage)),
    row('in flight (B)', ({ inflightBytes }) =>
      inflightBytes === null ? '-' : String(inflightBytes),
    ),
  ];
}
