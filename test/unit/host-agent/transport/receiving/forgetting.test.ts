import { PS_PER_SECOND, seconds } from '../../../../../common/units/units';
import {
  HPCC_ACK,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_FIN,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken } from '../../../../../common/wire/hpcc/hpcc-transport';
import {
  AUTH_TRAILER_LENGTH,
  parseAuthTrailer,
} from '../../../../../common/wire/security/message-mac';
import type { AuthTrailer } from '../../../../../common/wire/security/message-mac';
import { KeyRing } from '../../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../../host-agent/io/keys/hmac';
import { heapInUse } from '../../../../support/heap-in-use';
import { FlowTokens } from '../../../../../host-agent/feedback/flow-tokens';
import { addressOf } from '../../../../support/hosts';
import { testOpening } from '../../../../support/opening';
import { receiverOf } from './received-flows';
import type { Answer } from './received-flows';

const NONCE: FlowToken = { high: 0x11, low: 0x22 };
const OPENING = testOpening(2);

/** Token that proves that host 1 receives at its address, from the first packet of flow 1 on. */
function proof(): FlowToken {
  const tokens = new FlowTokens(OPENING, undefined);
  const hosts = { sourceAddress: addressOf(1), destinationAddress: addressOf(2) };
  const name = { ...hosts, flowId: 1, generation: 0, nonce: undefined };
  return tokens.proof(tokens.cookieFor(addressOf(1)), name);
}

describe('a host among strangers', () => {
  it('looks once a second for flows that nobody has confirmed, and no longer than there are any', () => {
    const { host, take } = receiverOf({ opening: OPENING });
    expect(host.pollWakeup()).toBeUndefined();
    take({ token: NONCE });
    expect(host.pollWakeup()).toBe(PS_PER_SECOND);
    take({ token: NONCE, flow: 2 }, 0.5 * PS_PER_SECOND);
    // The first look is for all.
    expect(host.pollWakeup()).toBe(PS_PER_SECOND);
    for (const second of [1, 2, 3]) {
      host.handleWakeup(second * PS_PER_SECOND);
      expect(host.pollWakeup()).toBe((second + 1) * PS_PER_SECOND);
    }
    host.handleWakeup(4 * PS_PER_SECOND);
    expect(host.pollWakeup()).toBeUndefined();
  });

  it('has forgotten them then: what follows begins with a cookie again', () => {
    const { host, take } = receiverOf({ opening: OPENING });
    take({ token: NONCE });
    for (const second of [1, 2, 3]) host.handleWakeup(second * PS_PER_SECOND);
    expect(take({ token: NONCE, sequence: 8 }, 3 * PS_PER_SECOND)[0]?.sequence).toBe(16);
    host.handleWakeup(4 * PS_PER_SECOND);
    const [answer] = take({ token: NONCE, sequence: 16 }, 4 * PS_PER_SECOND);
    expect(answer?.sequence).toBe(0);
    expect((answer?.flags ?? 0) & HPCC_FLAG_COOKIE).toBe(HPCC_FLAG_COOKIE);
  });

  it('goes on looking while there are flows, and forgets those that have ended', () => {
    const { host, take } = receiverOf({ opening: OPENING });
    take({ token: proof() });
    for (let second = 1; second <= 60; second++) {
      expect(host.pollWakeup()).toBe(second * PS_PER_SECOND);
      host.handleWakeup(second * PS_PER_SECOND);
    }
    take({ token: proof(), sequence: 8, flags: HPCC_FLAG_FIN }, 60.5 * PS_PER_SECOND);
    for (let second = 61; second <= 120; second++) {
      host.handleWakeup(second * PS_PER_SECOND);
      expect(host.pollWakeup()).toBe((second + 1) * PS_PER_SECOND);
    }
    host.handleWakeup(121 * PS_PER_SECOND);
    expect(host.pollWakeup()).toBeUndefined();
  });
});

describe('a host among friends', () => {
  it('wakes for no flow that has ended, and remembers it for longer than a minute', () => {
    const { host, take, delivered } = receiverOf();
    take({ flags: HPCC_FLAG_FIN });
    expect(host.pollWakeup()).toBeUndefined();
    host.handleWakeup(120 * PS_PER_SECOND);
    const [answer] = take({ flags: HPCC_FLAG_FIN }, 120 * PS_PER_SECOND);
    expect(answer?.sequence).toBe(8);
    expect(delivered).toEqual([[0, 8]]);
  });

  it('takes any number of short flows of one sender, one after another', () => {
    const { host, take } = receiverOf();
    for (let flow = 0; flow < 40_000; flow++) {
      const [answer] = take({ flow, flags: HPCC_FLAG_FIN });
      if (answer?.sequence !== 8) throw new Error(`flow ${flow} is not acknowledged`);
    }
    expect(host.counters().bytesDelivered).toBe(40_000 * 8);
  });

  it('remembers no more of a finished flow than its answers need', () => {
    const { host, take } = receiverOf({ deliver: () => undefined });
    const finish = (flow: number) => take({ flow, flags: HPCC_FLAG_FIN });
    for (let flow = 0; flow < 1000; flow++) finish(flow);
    const before = heapInUse();
    for (let flow = 1000; flow < 21_000; flow++) finish(flow);
    // A flow that is received takes 1,500 bytes.
    expect((heapInUse() - before) / 20_000).toBeLessThan(500);
    expect(finish(1000)[0]).toMatchObject({ type: HPCC_ACK, sequence: 8 });
    expect(host.counters().bytesDelivered).toBe(21_000 * 8);
  });

  it('goes on numbering the signed answers of a finished flow', () => {
    const { take } = receiverOf({ keyRing: new KeyRing(hmacSha256, 1, new Uint8Array(32)) });
    const numberOf = ({ body }: Answer) =>
      parseAuthTrailer(body, body.length - AUTH_TRAILER_LENGTH) as AuthTrailer;
    const numbers = [0, 1, 2].flatMap(() => take({ flags: HPCC_FLAG_FIN }).map(numberOf));
    expect(numbers.map(({ sequence }) => sequence.low)).toEqual([1, 2, 3]);
  });

  it('answers repeats of a finished flow for twice the longest pause of its sender', () => {
    const timeout = seconds(1);
    const { host, take } = receiverOf({ retransmissionTimeout: timeout });
    take({ flow: 1, flags: HPCC_FLAG_FIN });
    const again = (now: number) => take({ flow: 1, flags: HPCC_FLAG_FIN }, now);
    take({ flow: 2 }, 128 * timeout - 1);
    expect(again(128 * timeout - 1)).toHaveLength(1);
    expect(host.counters().bytesDelivered).toBe(16);
    // It was heard again: the time counts from there.
    take({ flow: 3 }, 200 * timeout);
    again(200 * timeout);
    expect(host.counters().bytesDelivered).toBe(24);
    take({ flow: 4 }, 328 * timeout);
    again(328 * timeout);
    expect(host.counters().bytesDelivered).toBe(40);
  });
});
