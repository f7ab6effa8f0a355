import {
  HPCC_ACK,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_FIN,
  HPCC_TELEMETRY,
  writeFlowToken,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken } from '../../../../../common/wire/hpcc/hpcc-transport';
import { FlowTokens } from '../../../../../host-agent/feedback/flow-tokens';
import { FLOWS_PER_SOURCE_MAX } from '../../../../../host-agent/transport/receiving/flow-table';
import { must } from '../../../../support/frames';
import { toHex } from '../../../../support/hex';
import { addressOf, flowTo, testHost } from '../../../../support/hosts';
import { testOpening } from '../../../../support/opening';
import { quickCode } from '../strangers';
import { answersOf, receiverOf } from './received-flows';

const NONCE: FlowToken = { high: 0x11, low: 0x22 };
const OPENING = testOpening(2);
const tokens = new FlowTokens(OPENING, undefined);

/** Token of host 1 when it has the cookie of host 2. */
function proof(
  { generation = 0, nonce }: { readonly generation?: number; readonly nonce?: FlowToken },
  { flowId = 1, by = tokens } = {},
): FlowToken {
  const name = {
    sourceAddress: addressOf(1),
    destinationAddress: addressOf(2),
    flowId,
    generation,
  };
  return by.proof(by.cookieFor(addressOf(1)), { ...name, nonce });
}

const cookieText = (): string => {
  const bytes = new Uint8Array(8);
  writeFlowToken(tokens.cookieFor(addressOf(1)), bytes, 0);
  return toHex(bytes);
};

const open = () => receiverOf({ opening: OPENING });

describe('a flow that has not been confirmed', () => {
  it('is acknowledged with a cookie, and without one as soon as it is confirmed', () => {
    const { take } = open();
    const [first] = take({ token: NONCE });
    expect(first).toMatchObject({ type: HPCC_ACK, flags: HPCC_FLAG_COOKIE, sequence: 8 });
    expect(first?.token).toEqual(NONCE);
    expect(toHex(first?.body ?? new Uint8Array())).toBe(cookieText());
    const [next] = take({ token: proof({ nonce: NONCE }), sequence: 8 });
    expect(next).toMatchObject({ type: HPCC_ACK, flags: 0, sequence: 16, length: 0 });
    // Feedback repeats the first token of the flow.
    expect(next?.token).toEqual(NONCE);
  });

  it('has its cookie behind the telemetry of the packet', () => {
    const { host } = open();
    const sender = testHost(1, { opening: testOpening(1) });
    sender.startFlow(0, flowTo(2, 7, 1000));
    const data = must(sender.pollTransmit(0));
    host.handlePacket(0, data);
    const [answer] = answersOf(host, 0);
    expect(answer?.flags).toBe(HPCC_FLAG_ECHO | HPCC_FLAG_COOKIE);
    const int = toHex(data.bytes.subarray(42, 58));
    expect(toHex(answer?.body ?? new Uint8Array())).toBe(int + cookieText());
  });

  it('is delivered with its confirmation, and nothing of it before', () => {
    const { host, delivered, take } = open();
    take({ token: NONCE });
    take({ token: NONCE, sequence: 8 });
    expect([delivered, host.counters().bytesDelivered]).toEqual([[], 0]);
    take({ token: proof({ nonce: NONCE }), sequence: 16 });
    expect(delivered).toEqual([
      [0, 8],
      [8, 8],
      [16, 8],
    ]);
    expect(host.counters().bytesDelivered).toBe(24);
  });

  it('is confirmed by its own proof and by no other token', () => {
    const { host, delivered, take } = open();
    take({ token: NONCE });
    take({ token: { high: 0x11, low: 0x23 }, sequence: 8 });
    take({ token: proof({ nonce: { high: 1, low: 1 } }), sequence: 8 });
    take({ token: proof({ nonce: NONCE, generation: 1 }), sequence: 8 });
    expect([delivered, host.counters().bytesDelivered]).toEqual([[], 0]);
  });

  it('is none where its packets show no token at all', () => {
    const { host, take } = open();
    take({ token: NONCE });
    expect(take({ sequence: 8 })).toEqual([]);
    expect(host.counters().packetsRejected.unconfirmed).toBe(1);
  });

  it('gets no more than its cookie where there are four of its name already', () => {
    const { host, take } = open();
    for (let low = 0; low < 4; low++) {
      expect(take({ token: { high: 1, low } })).toMatchObject([{ type: HPCC_ACK, sequence: 8 }]);
    }
    const [fifth, ...others] = take({ token: { high: 1, low: 4 } });
    expect(others).toEqual([]);
    expect(fifth).toMatchObject({ type: HPCC_TELEMETRY, flags: HPCC_FLAG_COOKIE, sequence: 0 });
    expect(fifth?.token).toEqual({ high: 1, low: 4 });
    expect(toHex(fifth?.body ?? new Uint8Array())).toBe(cookieText());
    expect(host.counters().packetsRejected.unconfirmed).toBe(1);
  });

  // 256 KB, or what four round trips bring at 100 Gb/s: 250 KB of 5 us, 2.5 MB of 50 us.
  it.each([
    [5, 8, 32_768],
    [50, 50, 50_000],
  ])('brings a bounded number of bytes: T = %d us', (us, segments, length) => {
    const { host, take } = receiverOf({ opening: OPENING, baseRtt: us * 1e6 });
    for (let i = 0; i <= segments; i++) {
      const [answer] = take({ token: NONCE, sequence: i * length, length });
      expect(answer?.sequence).toBe((i + 1) * length);
    }
    const end = (segments + 1) * length;
    expect(take({ token: NONCE, sequence: end, length })).toEqual([]);
    expect(host.counters().packetsRejected.unconfirmed).toBe(1);
    take({ token: proof({ nonce: NONCE }), sequence: end });
    expect(host.counters().bytesDelivered).toBe(end + 8);
  });
});

describe('a flow that has been confirmed', () => {
  it('goes on under a proof without its nonce, however much it has brought', () => {
    const { host, take } = open();
    take({ token: NONCE });
    const length = 50_000;
    for (let i = 0; i < 6; i++) {
      take({ token: proof({ nonce: NONCE }), sequence: 8 + i * length, length });
    }
    expect(take({ token: proof({}), sequence: 300_008 })).toMatchObject([{ sequence: 300_016 }]);
    expect(take({ token: proof({}), sequence: 300_016 })).toMatchObject([{ sequence: 300_024 }]);
    expect(host.counters().bytesDelivered).toBe(300_024);
    expect(Object.values(host.counters().packetsRejected).every((n) => n === 0)).toBe(true);
  });

  it('is told as received once, when its end has come before its confirmation', () => {
    const { host, take } = open();
    take({ token: NONCE, flags: HPCC_FLAG_FIN });
    expect(host.pollEvent()).toBeUndefined();
    take({ token: proof({ nonce: NONCE }), flags: HPCC_FLAG_FIN }, 5);
    expect(host.pollEvent()).toMatchObject({ kind: 'flow-received', receivedAt: 5, bytes: 8 });
    expect(host.pollEvent()).toBeUndefined();
  });

  it('gives its name to newer ones only', () => {
    const { host, delivered, take } = open();
    const refused = (): number => host.counters().packetsRejected['old-generation'];
    const other: FlowToken = { high: 5, low: 5 };
    take({ token: proof({ generation: 5 }), generation: 5 });
    for (const generation of [4, 5]) expect(take({ token: other, generation })).toEqual([]);
    expect(refused()).toBe(2);
    expect(take({ token: other, generation: 6 })).toMatchObject([{ flags: HPCC_FLAG_COOKIE }]);
    take({ token: proof({ generation: 6, nonce: other }), generation: 6, sequence: 8 });
    expect(delivered).toEqual([
      [0, 8],
      [0, 8],
      [8, 8],
    ]);
    expect(refused()).toBe(2);
  });

  it('makes those too old that were opened before it and are confirmed after it', () => {
    const { host, delivered, take } = open();
    for (const generation of [7, 8]) take({ token: NONCE, generation });
    const confirmed = (generation: number) =>
      take({ token: proof({ generation, nonce: NONCE }), generation, sequence: 8 });
    expect(confirmed(8)).toMatchObject([{ sequence: 16 }]);
    expect(confirmed(7)).toEqual([]);
    expect(host.counters().packetsRejected['old-generation']).toBe(1);
    expect(delivered).toHaveLength(2);
  });

  it('is refused where its sender has as many as it may have', () => {
    const opening = { ...OPENING, mac: quickCode };
    const by = new FlowTokens(opening, undefined);
    const { host, take } = receiverOf({ opening });
    for (let flow = 0; flow < FLOWS_PER_SOURCE_MAX; flow++) {
      take({ flow, token: proof({}, { flowId: flow, by }) });
    }
    const { bytesDelivered } = host.counters();
    expect(bytesDelivered).toBe(8 * FLOWS_PER_SOURCE_MAX);
    const flow = 60_000;
    take({ flow, token: NONCE });
    expect(take({ flow, token: proof({ nonce: NONCE }, { flowId: flow, by }) })).toEqual([]);
    expect(host.counters().packetsRejected['too-many-flows']).toBe(1);
    expect(host.counters().bytesDelivered).toBe(bytesDelivered);
  });
});
