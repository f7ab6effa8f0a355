import { NO_SESSION } from '../../switch/executor/executor';
import { hex, primitive } from '../unit/switch/support/json-values';
import { acceptState, extract } from '../unit/switch/support/program';
import { bench, runAction, runPacket } from '../unit/switch/support/run';
import type { Bench } from '../unit/switch/support/run';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory, PacketRequests } from '../../switch/executor/executor';

/** Tests the calls between an executor and the architecture around it, which are the same in every one. */
export function describeArchitecture(create: ExecutorFactory): void {
  describe('requests to the architecture', () => describeRequests(create));
  describe('a packet state', () => describeStates(create));
}

const NO_REQUESTS: PacketRequests = {
  cloneSession: NO_SESSION,
  cloneFields: 0,
  digest: 0,
  resubmit: 0,
  recirculate: 0,
  truncateTo: Infinity,
};

function describeRequests(create: ExecutorFactory): void {
  const extra = {
    field_lists: [1, 2].map((id) => ({ id, name: `l${id}`, elements: [] })),
    learn_lists: [{ id: 1, name: 'd', elements: [] }],
  };
  const requestsOf = (...body: ReturnType<typeof primitive>[]): PacketRequests => ({
    ...runAction(create, body, { extra }).packet.requests,
  });

  test('are none at first, and after a reset', () => {
    expect(requestsOf()).toEqual(NO_REQUESTS);
    const { bench: made, packet } = runAction(create, [primitive('resubmit', hex(1))], { extra });
    made.executor.reset(packet, { bytes: new Uint8Array(0), length: 0 });
    expect({ ...packet.requests }).toEqual(NO_REQUESTS);
  });

  test.each([
    ['clone_ingress_pkt_to_egress', [5, 2], { cloneSession: 5, cloneFields: 2 }],
    ['clone_egress_pkt_to_egress', [0, 0], { cloneSession: 0, cloneFields: 0 }],
    ['clone_egress_pkt_to_egress', [0x18001, 1], { cloneSession: 1, cloneFields: 1 }],
    ['resubmit', [2], { resubmit: 2 }],
    ['recirculate', [1], { recirculate: 1 }],
    ['generate_digest', [1, 1], { digest: 1 }],
    ['truncate', [64], { truncateTo: 64 }],
  ] as const)('%s%j', (name, values, expected) => {
    const call = primitive(name, ...values.map((value) => hex(value)));
    expect(requestsOf(call)).toEqual({ ...NO_REQUESTS, ...expected });
  });

  test('follow the last call, but the smallest truncation', () => {
    const clones = [1, 2].map((n) => primitive('clone_ingress_pkt_to_egress', hex(n), hex(n)));
    const cuts = [90, 64, 70].map((n) => primitive('truncate', hex(n)));
    const expected = { cloneSession: 2, cloneFields: 2, truncateTo: 64 };
    expect(requestsOf(...clones, ...cuts)).toEqual({ ...NO_REQUESTS, ...expected });
  });
}

function describeStates(create: ExecutorFactory): void {
  const SPEC: ProgramSpec = {
    metadata: [
      ['wide', 128],
      ['narrow', 8],
    ],
    types: { tag_t: [['x', 8]] },
    headers: [['tag', 'tag_t']],
    stacks: [['s', 'tag_t', 2]],
    states: [acceptState('start', [extract('tag')])],
  };
  const slot = ({ program }: Bench, name: string): number => program.fields.get(name)?.slot ?? -1;

  test('gives fields of any width', () => {
    const made = bench(create, SPEC);
    const packet = made.executor.createState();
    for (const [name, value] of [
      ['m.wide', 2n ** 100n],
      ['m.narrow', 7n],
    ] as const) {
      packet.writeField(slot(made, name), value);
      expect(packet.readField(slot(made, name))).toBe(value);
    }
  });

  test('can become a copy of another one, which goes its own way from then on', () => {
    const made = bench(create, SPEC);
    const { packet } = runPacket(made, Uint8Array.of(5, 6, 7));
    packet.writeField(slot(made, 'm.wide'), 2n ** 100n);
    packet.requests.digest = 1;
    const copy = made.executor.createState();
    copy.copyFrom(packet);
    packet.writeField(slot(made, 'm.wide'), 1n);
    expect(copy.readField(slot(made, 'm.wide'))).toBe(2n ** 100n);
    expect({ ...copy.requests }).toEqual(NO_REQUESTS);
    expect(copy.packetLength).toBe(3);
    expect([...made.executor.deparse(copy)]).toEqual([5, 6, 7]);
  });

  test('forgets metadata and nothing else on demand', () => {
    const made = bench(create, SPEC);
    const { packet } = runPacket(made, Uint8Array.of(5, 6));
    packet.writeField(slot(made, 'm.wide'), 2n ** 100n);
    packet.writeField(slot(made, 'm.narrow'), 7n);
    packet.clearMetadata();
    expect(packet.readField(slot(made, 'm.wide'))).toBe(0n);
    expect(packet.readField(slot(made, 'm.narrow'))).toBe(0n);
    expect([...made.executor.deparse(packet)]).toEqual([5, 6]);
  });
}
