import { readWindowRecord } from '../../../../../common/wire/hpcc/feedback-records';
import { HPCC_ACK, HPCC_WINDOW } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { HostConfig } from '../../../../../host-agent/host/host-config';
import { eventsOf, must, patchedUnchecked } from '../../../../support/frames';
import { flowTo, testHost } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import { switchAnswer } from '../../../../support/switch-answer';
import { answersOf } from './received-flows';

const ASKS = { asksSwitches: true, algorithmAt: 'receiver' } as const;
const ZERO = { switchId: 1, portId: 1, txBytes: 0, queueBytes: 300_000, capacity: 100e9 };
const LONG = { timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 };

/** Host 2, which has received 1000 bytes of the flow that the answer of the switch is about. */
function awaiting(given: Partial<HostConfig>, generation = 0) {
  const feedback = { asksSwitches: true };
  const sender = testHost(1, { feedback, firstGeneration: generation });
  const host = testHost(2, given);
  sender.startFlow(0, flowTo(2, 0, 100_000));
  host.handlePacket(0, pushHop(must(sender.pollTransmit(0)), { ...ZERO, timestamp: 1000 }));
  answersOf(host, 0);
  eventsOf(host);
  return { host, next: must(sender.pollTransmit(100_000)) };
}

const unrequested = ({ host }: ReturnType<typeof awaiting>): number => {
  host.handlePacket(10, switchAnswer(LONG, { toReceiver: true }));
  expect(answersOf(host, 10)).toEqual([]);
  return host.counters().packetsRejected.unrequested;
};

describe('what a switch says to a receiver', () => {
  it('is refused where nobody asks, or where the algorithm is at the sender', () => {
    expect(unrequested(awaiting({ feedback: { algorithmAt: 'receiver' } }))).toBe(1);
    expect(unrequested(awaiting({ feedback: { asksSwitches: true } }))).toBe(1);
  });

  it('is refused if it is about no flow, or about another one of the same id', () => {
    const host = testHost(2, { feedback: ASKS });
    host.handlePacket(10, switchAnswer(LONG, { toReceiver: true }));
    expect(host.counters().packetsRejected.unrequested).toBe(1);
    expect(unrequested(awaiting({ feedback: ASKS }, 1))).toBe(1);
  });

  it('is refused if it is about packets of another transport', () => {
    const { host } = awaiting({ feedback: ASKS });
    const kindAt = 14 + 20 + 8 + 16 + 1;
    host.handlePacket(10, patchedUnchecked(switchAnswer(LONG, { toReceiver: true }), kindAt, 2));
    expect(answersOf(host, 10)).toEqual([]);
    expect(host.counters().packetsRejected.unrequested).toBe(1);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('makes it tell its window, and its flows if it counts them: %j', (countsFlows, flows) => {
    const { host } = awaiting({ feedback: { ...ASKS, countsFlows } });
    host.handlePacket(10, switchAnswer(LONG, { toReceiver: true }));
    const [told, ...others] = answersOf(host, 10);
    expect(others).toEqual([]);
    expect(told).toMatchObject({ type: HPCC_WINDOW, flags: 0, sequence: 1000 });
    expect(readWindowRecord(told?.body ?? new Uint8Array(), 0).flows).toBe(flows);
    expect(eventsOf(host)).toEqual([]);
  });

  it('is kept to itself while it does not slow the flow down', () => {
    const { host, next } = awaiting({ feedback: ASKS });
    const short = { timestamp: 3000, txBytes: 5000, queueBytes: 0 };
    host.handlePacket(10, switchAnswer(short, { toReceiver: true }));
    expect(host.mayTransmit(Float64Array.of(10))).toBe(false);
    expect(host.pollTransmit(10)).toBeUndefined();
    expect(eventsOf(host)).toEqual([]);
    host.handlePacket(100_000, next);
    expect(answersOf(host, 100_000)).toMatchObject([{ type: HPCC_ACK, sequence: 2000 }]);
  });
});
