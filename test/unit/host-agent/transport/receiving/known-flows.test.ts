import {
  HPCC_ACK,
  HPCC_FLAG_FIN,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RESPONSE,
  HPCC_FLAG_SELECTIVE,
  HPCC_PROBE,
  HPCC_TELEMETRY,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import {
  AUTH_TRAILER_LENGTH,
  parseAuthTrailer,
} from '../../../../../common/wire/security/message-mac';
import { FLOWS_PER_SOURCE_MAX } from '../../../../../host-agent/transport/receiving/flow-table';
import { addressOf } from '../../../../support/hosts';
import { forged, ring } from '../strangers';
import { receiverOf } from './received-flows';

describe('the flows that a host knows', () => {
  it('are delivered piece by piece, and no piece twice', () => {
    const { delivered, take } = receiverOf();
    for (const sequence of [0, 8, 0, 24, 16]) take({ sequence });
    take({ sequence: 20, length: 12, flags: HPCC_FLAG_FIN });
    expect(delivered).toEqual([
      [0, 8],
      [8, 8],
      [16, 8],
      [24, 8],
    ]);
  });

  it('are delivered with what came before its turn, each part by itself', () => {
    const { host, delivered, take } = receiverOf();
    const flags = HPCC_FLAG_SELECTIVE;
    for (const sequence of [16, 8, 0]) take({ sequence, flags });
    expect(delivered).toEqual([
      [0, 8],
      [8, 8],
      [16, 8],
    ]);
    expect(host.counters().bytesDelivered).toBe(24);
  });

  it('go on as they began, also where later packets say otherwise', () => {
    const { take } = receiverOf();
    take({ sequence: 0 });
    const [next] = take({ sequence: 8, flags: HPCC_FLAG_SELECTIVE });
    expect(next).toMatchObject({ type: HPCC_ACK, flags: 0, sequence: 16 });
    const [gap] = take({ sequence: 24, flags: HPCC_FLAG_SELECTIVE });
    expect(gap).toMatchObject({ flags: HPCC_FLAG_NACK, sequence: 16, length: 0 });
  });

  it('are told apart from newer ones by half of all generations', () => {
    const { host, take } = receiverOf();
    const refused = (): number => host.counters().packetsRejected['old-generation'];
    take({ generation: 0 });
    expect(take({ generation: 0x8000 })).toEqual([]);
    expect(take({ generation: 0xffff })).toEqual([]);
    expect(refused()).toBe(2);
    expect(take({ generation: 0x7fff })).toMatchObject([{ type: HPCC_ACK, sequence: 8 }]);
    expect(take({ generation: 0xfffe })).toMatchObject([{ type: HPCC_ACK, sequence: 8 }]);
    expect(take({ generation: 0x7fff })).toEqual([]);
    expect(refused()).toBe(3);
  });

  it('have no token where they began without one', () => {
    const { host, take, delivered } = receiverOf();
    take({ sequence: 0 });
    expect(take({ sequence: 8, token: { high: 1, low: 2 } })).toEqual([]);
    expect(host.counters().packetsRejected['old-generation']).toBe(1);
    expect(delivered).toEqual([[0, 8]]);
  });

  it('are as many of one sender as it may have', () => {
    const { host, take } = receiverOf();
    for (let flow = 0; flow < FLOWS_PER_SOURCE_MAX; flow++) take({ flow });
    expect(take({ flow: 60_000 })).toEqual([]);
    const { packetsRejected, bytesDelivered } = host.counters();
    expect(packetsRejected['too-many-flows']).toBe(1);
    expect(bytesDelivered).toBe(8 * FLOWS_PER_SOURCE_MAX);
  });
});

describe('what a host answers', () => {
  it('goes to the port that the latest packet came from', () => {
    const { take } = receiverOf();
    const portOf = (sequence: number, sourcePort: number) =>
      take({ sequence, sourcePort })[0]?.sourcePort;
    expect([portOf(0, 50_000), portOf(8, 50_001), portOf(16, 50_001)]).toEqual([
      50_000, 50_001, 50_001,
    ]);
    expect(portOf(24, 50_000)).toBe(50_000);
  });

  it('is numbered from 1 where it is signed, also towards another port', () => {
    const { take } = receiverOf({ keyRing: ring(1) });
    const numbers = [0, 8, 16].map((sequence) => {
      const [answer] = take({ sequence, sourcePort: 50_000 + sequence });
      const { body = new Uint8Array() } = answer ?? {};
      return parseAuthTrailer(body, body.length - AUTH_TRAILER_LENGTH, body.length);
    });
    expect(numbers).toMatchObject([1, 2, 3].map((low) => ({ sequence: { high: 0, low } })));
  });

  it('is what the interface may send, for as long as it waits', () => {
    const { host } = receiverOf();
    expect(host.mayTransmit(Float64Array.of(0))).toBe(false);
    host.handlePacket(0, forged(addressOf(1), {}));
    expect(host.mayTransmit(Float64Array.of(0))).toBe(true);
    host.pollTransmit(0);
    expect(host.mayTransmit(Float64Array.of(0))).toBe(false);
  });

  it('is nothing to a probe of a flow that has been replaced', () => {
    const { host, take } = receiverOf();
    const probe = { type: HPCC_PROBE, length: 0 } as const;
    take({ generation: 2 });
    const [answer] = take({ ...probe, generation: 2, sequence: 5 });
    expect(answer).toMatchObject({ type: HPCC_TELEMETRY, flags: HPCC_FLAG_RESPONSE, sequence: 5 });
    expect(take({ ...probe, generation: 1 })).toEqual([]);
    expect(host.counters().packetsRejected['old-generation']).toBe(1);
  });

  it('to a probe goes where that came from, and to data where the data came from', () => {
    const { take } = receiverOf();
    take({ sequence: 0, sourcePort: 50_000 });
    const probe = { type: HPCC_PROBE, length: 0, sourcePort: 50_009 } as const;
    expect(take(probe)[0]?.sourcePort).toBe(50_009);
    expect(take({ sequence: 8, sourcePort: 50_000 })[0]?.sourcePort).toBe(50_000);
  });
});
