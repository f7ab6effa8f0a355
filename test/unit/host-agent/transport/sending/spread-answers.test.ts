import type { Packet } from '../../../../../common/packet/packet';
import type { HostAgent } from '../../../../../host-agent/transport/host';
import { must, patchedUnchecked } from '../../../../support/frames';
import { flowTo, testHost } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import { switchAnswer } from '../../../../support/switch-answer';
import { seenFrame } from '../../../../support/transport-frames';

/** A full link with a queue of many round trips, two microseconds after the flows heard of it. */
const FULL = { timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 };
const HEARD = { switchId: 1, portId: 1, timestamp: 1000, txBytes: 0, queueBytes: 300_000 };
const AT = 300_000;

interface GivenFlow {
  readonly dscp?: number;
  /** Fields of its last telemetry, in place of those of the full link. */
  readonly heard?: Partial<typeof HEARD>;
}

/** Host 1 with three segments of each flow in flight, which has heard of the first one's path. */
function hostWith(flows: readonly GivenFlow[]): HostAgent {
  const config = { feedback: { asksSwitches: true } };
  const [sender, receiver] = [testHost(1, config), testHost(2, config)];
  const firsts: Packet[] = flows.map(({ dscp }, id) => {
    sender.startFlow(0, { ...flowTo(2, id, 100_000), ...(dscp !== undefined && { dscp }) });
    return must(sender.pollTransmit(0));
  });
  for (const now of [100_000, 200_000]) while (sender.pollTransmit(now) !== undefined);
  firsts.forEach((first, id) => {
    const hop = { ...HEARD, ...flows[id]?.heard, capacity: 100e9 };
    receiver.handlePacket(200_000, pushHop(first, hop));
    sender.handlePacket(200_000, must(receiver.pollTransmit(200_000)));
  });
  return sender;
}

/** Number of changes of each flow's window since, and of its reference window. */
function changes(host: HostAgent, flows: number): readonly (readonly [number, number])[] {
  return Array.from({ length: flows }, (_, id) => {
    const congestion = host.flowMetrics(id)?.congestion;
    return [congestion?.acksProcessed ?? NaN, congestion?.commits ?? NaN] as const;
  });
}

function afterAnswer(flows: readonly GivenFlow[]) {
  const host = hostWith(flows);
  host.handlePacket(AT, switchAnswer(FULL));
  return changes(host, flows.length);
}

/** It ends no round: of the packets that left after the last one nothing has come back. */
const TOLD = [1, 0] as const;
const NOT_TOLD = [0, 0] as const;

describe('the answer of a switch to one flow', () => {
  it('slows down the other flows over the same link, too, each once', () => {
    const host = hostWith([{}, {}, {}]);
    const before = host.flowMetrics(1)?.congestion.windowBytes ?? NaN;
    host.handlePacket(AT, switchAnswer(FULL));
    expect(changes(host, 3)).toEqual([TOLD, TOLD, TOLD]);
    expect(host.flowMetrics(1)?.congestion.windowBytes).toBeLessThan(before / 2);
  });

  it('says nothing to flows over other links, nor to those that have heard of it since', () => {
    expect(afterAnswer([{}, { heard: { portId: 2 } }])).toEqual([TOLD, NOT_TOLD]);
    expect(afterAnswer([{}, { heard: { switchId: 2 } }])).toEqual([TOLD, NOT_TOLD]);
    expect(afterAnswer([{}, { heard: { timestamp: 3000 } }])).toEqual([TOLD, NOT_TOLD]);
  });

  it('reaches no other flow if it is too late for the one that it is about', () => {
    expect(afterAnswer([{ heard: { timestamp: 4000 } }, {}])).toEqual([NOT_TOLD, NOT_TOLD]);
  });

  it('is about one queue: flows of other classes have another one', () => {
    const said = afterAnswer([{ dscp: 8 }, { dscp: 8 }, { dscp: 10 }, {}, { dscp: 0 }]);
    expect(said).toEqual([TOLD, TOLD, NOT_TOLD, NOT_TOLD, NOT_TOLD]);
    expect(afterAnswer([{}, { dscp: 0 }, { dscp: 8 }])).toEqual([TOLD, TOLD, NOT_TOLD]);
  });

  it('moves the time at which the others have something to do', () => {
    const early = 250_000;
    const [alone, told] = [hostWith([{}, {}]), hostWith([{}, {}])];
    told.handlePacket(early, switchAnswer(FULL));
    // Before the pace allows either flow its next segment, which is then much later.
    expect(alone.pollWakeup()).toBeLessThan(300_000);
    expect(told.pollWakeup()).toBeGreaterThan(400_000);
  });

  it('is taken only for what is counted in bytes of flows of hosts like this one', () => {
    const host = hostWith([{}, {}]);
    const answer = switchAnswer(FULL);
    // The kind of its sequence, and no checksum.
    host.handlePacket(AT, patchedUnchecked(answer, 59, 2));
    expect(host.counters().packetsRejected.unrequested).toBe(1);
    expect(changes(host, 2)).toEqual([NOT_TOLD, NOT_TOLD]);
    host.handlePacket(AT, patchedUnchecked(answer, 59, 1));
    expect(changes(host, 2)).toEqual([TOLD, TOLD]);
  });

  it('holds back the next packet of the others as well', () => {
    const [alone, told] = [hostWith([{}, {}]), hostWith([{}, {}])];
    told.handlePacket(AT, switchAnswer(FULL));
    alone.handleWakeup(AT);
    const next = (host: HostAgent): readonly number[] => {
      const packets: number[] = [];
      for (let now = AT; now < AT + 100_000; now += 1000) {
        const packet = host.pollTransmit(now);
        if (packet !== undefined) packets.push(seenFrame(packet).sequence);
      }
      return packets;
    };
    expect(next(alone)).toEqual([3000, 3000, 4000, 4000]);
    expect(next(told)).toEqual([]);
    expect(told.pollWakeup()).toBeGreaterThan(AT + 100_000);
  });
});
