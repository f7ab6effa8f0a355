import { PS_PER_SECOND } from '../../../../../common/units/units';
import {
  PENDING_MAX,
  PENDING_PER_SOURCE_MAX,
  PendingFlows,
} from '../../../../../host-agent/transport/receiving/pending-flows';
import type { ReceivedFrame } from '../../../../../host-agent/transport/frames/received-frame';
import type { IncomingFlow } from '../../../../../host-agent/transport/receiving/incoming-flow';
import { heapInUse } from '../../../../support/heap-in-use';
import type { PendingFlow } from '../../../../../host-agent/transport/receiving/pending-flows';

interface Shown {
  readonly source?: number;
  readonly flowId?: number;
  readonly generation?: number;
  readonly token?: number;
  readonly since?: number;
}

const frame = ({ source = 1, flowId = 2, generation = 3, token = 4 }: Shown = {}): ReceivedFrame =>
  ({
    sourceAddress: source,
    transport: { flowId, generation, token: { high: 7, low: token } },
  }) as unknown as ReceivedFrame;

const pendingFlow = ({ since = 0, ...shown }: Shown = {}): PendingFlow => {
  const { sourceAddress: source, transport } = frame(shown);
  const { flowId, generation, token } = transport;
  if (token === undefined) throw new Error('it has one');
  const flow = { generation } as unknown as IncomingFlow;
  return { flow, source, flowId, token, since, held: [], bytes: 0 };
};

function pendingOf(...all: readonly Shown[]): { flows: PendingFlows; added: PendingFlow[] } {
  const flows = new PendingFlows();
  const added = all.map(pendingFlow);
  for (const each of added) flows.add(each);
  return { flows, added };
}

const delivery = (stored: Uint8Array) => {
  const { length } = stored;
  return { sourceAddress: 1, flow: 2, sequence: 0, length, stored };
};

describe('flows that wait for their confirmation', () => {
  test('are found by all that their packets show', () => {
    const { flows, added } = pendingOf({}, { token: 5 }, { generation: 4 }, { flowId: 9 });
    expect(flows.find(frame())).toBe(added[0]);
    expect(flows.find(frame({ token: 5 }))).toBe(added[1]);
    expect(flows.find(frame({ generation: 4 }))).toBe(added[2]);
    expect(flows.find(frame({ flowId: 9 }))).toBe(added[3]);
    for (const other of [{ source: 2 }, { flowId: 3 }, { generation: 5 }, { token: 6 }]) {
      expect(flows.find(frame(other))).toBeUndefined();
    }
  });

  test('are told apart for all addresses and ids', () => {
    const { flows } = pendingOf({ source: 1, flowId: 2 });
    expect(flows.find(frame({ source: 0x1_0001, flowId: 1 }))).toBeUndefined();
    expect(flows.ofFlow(frame({ source: 0x1_0001, flowId: 1 }))).toEqual([]);
  });

  test('are those of a flow whatever their tokens, of its generation', () => {
    const { flows, added } = pendingOf({}, { token: 5 }, { generation: 4 }, { flowId: 9 });
    expect(flows.ofFlow(frame({ token: 99 }))).toEqual([added[0], added[1]]);
    expect(flows.ofFlow(frame({ source: 8 }))).toEqual([]);
  });

  test('are at most four of one flow', () => {
    const { flows } = pendingOf({ token: 1 }, { token: 2 }, { token: 3 });
    expect(flows.hasRoom(frame())).toBe(true);
    flows.add(pendingFlow({ token: 4 }));
    expect(flows.hasRoom(frame())).toBe(false);
    expect(flows.hasRoom(frame({ flowId: 3 }))).toBe(true);
    expect(flows.hasRoom(frame({ source: 3 }))).toBe(true);
  });

  test('are limited for each source, and in all', () => {
    const flows = new PendingFlows();
    let source = 0;
    const fill = (count: number): void => {
      source++;
      for (let flowId = 0; flowId < count; flowId++) flows.add(pendingFlow({ source, flowId }));
    };
    fill(PENDING_PER_SOURCE_MAX - 1);
    expect(flows.hasRoom(frame({ source, flowId: 65_000 }))).toBe(true);
    const last = pendingFlow({ source, flowId: 64_000 });
    flows.add(last);
    expect(flows.hasRoom(frame({ source, flowId: 65_000 }))).toBe(false);
    expect(flows.hasRoom(frame({ source: 77, flowId: 65_000 }))).toBe(true);
    flows.remove(last);
    expect(flows.hasRoom(frame({ source, flowId: 65_000 }))).toBe(true);
    while (flows.size < PENDING_MAX - 1) fill(Math.min(1000, PENDING_MAX - 1 - flows.size));
    expect(flows.hasRoom(frame({ source: 77 }))).toBe(true);
    const one = pendingFlow({ source: 78 });
    flows.add(one);
    expect(flows.hasRoom(frame({ source: 77 }))).toBe(false);
    flows.remove(one);
    expect(flows.hasRoom(frame({ source: 77 }))).toBe(true);
  });

  test('of a source count one by one, also after some are gone', () => {
    const flows = new PendingFlows();
    const all = Array.from({ length: PENDING_PER_SOURCE_MAX }, (_, flowId) =>
      pendingFlow({ source: 1, flowId }),
    );
    for (const each of all) flows.add(each);
    flows.remove(all[0] as PendingFlow);
    flows.remove(all[1] as PendingFlow);
    const isRoom = () => flows.hasRoom(frame({ source: 1, flowId: 65_000 }));
    expect(isRoom()).toBe(true);
    flows.add(pendingFlow({ source: 1, flowId: 64_000 }));
    expect(isRoom()).toBe(true);
    flows.add(pendingFlow({ source: 1, flowId: 64_001 }));
    expect(isRoom()).toBe(false);
  });

  test('leave nothing behind of all the sources that were there', () => {
    const flows = new PendingFlows();
    const idle = heapInUse();
    for (let source = 0; source < 600_000; source++) {
      const pending = pendingFlow({ source });
      flows.add(pending);
      flows.remove(pending);
    }
    // An entry for each would take 40 bytes and more.
    expect(heapInUse() - idle).toBeLessThan(8e6);
    expect(flows.size).toBe(0);
  });

  test('hold copies of 16 MB at most, and give the room back', () => {
    const { flows, added } = pendingOf({}, { token: 5 });
    const [first, second] = added as [PendingFlow, PendingFlow];
    const stored = new Uint8Array(8 * 1024 * 1024).fill(1);
    flows.hold(first, [delivery(stored), delivery(stored.subarray(1))]);
    stored.fill(2);
    expect(first.held.map((each) => each.stored[0])).toEqual([1, 1]);
    expect(flows.hasRoom(frame({ source: 9 }))).toBe(true);
    flows.hold(second, [delivery(stored.subarray(0, 1))]);
    expect(flows.hasRoom(frame({ source: 9 }))).toBe(false);
    flows.remove(second);
    expect(flows.hasRoom(frame({ source: 9 }))).toBe(true);
    expect([flows.size, flows.find(frame({ token: 5 })), flows.find(frame())]).toEqual([
      1,
      undefined,
      first,
    ]);
  });

  test('are forgotten after three seconds', () => {
    const { flows } = pendingOf({}, { token: 5, since: PS_PER_SECOND }, { flowId: 3 });
    flows.expire(3 * PS_PER_SECOND);
    expect(flows.size).toBe(3);
    flows.expire(3 * PS_PER_SECOND + 1);
    expect(flows.size).toBe(1);
    expect(flows.find(frame({ token: 5 }))).toBeDefined();
    flows.expire(4 * PS_PER_SECOND + 1);
    expect(flows.size).toBe(0);
  });
});
