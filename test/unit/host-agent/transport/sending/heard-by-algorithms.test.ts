import type { Packet } from '../../../../../common/packet/packet';
import { HPCC_TELEMETRY, HPCC_WINDOW } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { Acknowledgement } from '../../../../../host-agent/algorithm/congestion-control';
import { FixedRate } from '../../../../../host-agent/algorithm/fixed-rate';
import { runFeedback } from '../../../../support/feedback-run';
import { must, patchedUnchecked } from '../../../../support/frames';
import { flowTo, testHost } from '../../../../support/hosts';
import { seenFrame } from '../../../../support/transport-frames';

/** Keeps all that it is told, and does nothing about it. */
class Keeper extends FixedRate {
  readonly acks: Acknowledgement[] = [];
  readonly flowCounts: number[] = [];

  override onAck(ack?: Acknowledgement) {
    if (ack !== undefined) this.acks.push(ack);
    return super.onAck();
  }

  override onFlowCount(flows?: number): void {
    this.flowCounts.push(flows ?? NaN);
  }
}

/** Acknowledgements that an algorithm at the sender gets in a run of 20 packets, and the packets that came back. */
function told(
  feedback: Parameters<typeof runFeedback>[0],
  keeps: { retainsNoInput?: boolean } = {},
) {
  const made: Keeper[] = [];
  const congestionControl = () => {
    const control = Object.assign(new Keeper(100e9), keeps);
    made.push(control);
    return control;
  };
  const { driver } = runFeedback(feedback, 20_000, { congestionControl });
  const back = driver.sent.filter(({ from }) => from === 1).map(({ packet }) => packet);
  return { control: existing(made.at(-1)), back };
}

const existing = (control: Keeper | undefined): Keeper => {
  if (control === undefined) throw new Error('a flow makes its congestion control');
  return control;
};
const firstOf = (type: number, packets: readonly Packet[]): Packet =>
  must(packets.find((packet) => seenFrame(packet).type === type));

describe('an algorithm that keeps what it hears', () => {
  it.each([{}, { retainsNoInput: false }])('finds it unchanged afterwards, saying %j', (keeps) => {
    const { control } = told({}, keeps);
    const times = control.acks.map(({ telemetry }) => telemetry[0]?.timestamp ?? NaN);
    expect(times).toHaveLength(20);
    expect(new Set(times).size).toBe(20);
  });
});

describe('telemetry in packets of its own', () => {
  it('reaches the algorithm, besides acknowledgements that bring none', () => {
    const { control } = told({ returnBy: 'notification' });
    const times = control.acks.map(({ telemetry }) => telemetry[0]?.timestamp ?? NaN);
    expect(new Set(times).size).toBe(20);
  });

  it('is refused of what has never left', () => {
    const { back } = told({ returnBy: 'notification' });
    const note = firstOf(HPCC_TELEMETRY, back);
    const sender = testHost(1, { feedback: { returnBy: 'notification' } });
    sender.startFlow(0, flowTo(2, 0, 20_000));
    sender.handlePacket(1, note);
    expect(sender.counters().packetsRejected['acknowledges-unsent']).toBe(1);
    must(sender.pollTransmit(1));
    sender.handlePacket(2, note);
    expect(sender.counters().packetsRejected['acknowledges-unsent']).toBe(1);
  });
});

describe('the count of flows that a receiver tells', () => {
  it('reaches the algorithm, and is none where it says nothing', () => {
    const { control, back } = told({ countsFlows: true });
    expect(control.flowCounts).toEqual([1]);
    const window = firstOf(HPCC_WINDOW, back);
    const made: Keeper[] = [];
    const congestionControl = () => made[made.push(new Keeper(100e9)) - 1] as Keeper;
    const sender = testHost(1, { feedback: { countsFlows: true }, congestionControl });
    sender.startFlow(0, flowTo(2, 0, 20_000));
    const low = seenFrame(window).bodyAt + 5;
    sender.handlePacket(1, patchedUnchecked(window, low, 0));
    expect(made.at(-1)?.flowCounts).toEqual([]);
    sender.handlePacket(2, patchedUnchecked(window, low, 7));
    expect(made.at(-1)?.flowCounts).toEqual([7]);
    expect(sender.counters().packetsRejected.unrequested).toBe(0);
  });
});
