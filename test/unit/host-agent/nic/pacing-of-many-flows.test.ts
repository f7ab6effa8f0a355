import { readUint24 } from '../../../../common/wire/bytes';
import { serialisationTime } from '../../../../common/units/units';
import type { CongestionControl } from '../../../../host-agent/algorithm/congestion-control';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { flowTo, testHost } from '../../../support/hosts';

const LINK_RATE = 100e9;
const FRAME = 1074;
const FLOW_ID_AT = 64;

/** A rate that nothing changes and a window that never closes. */
function fixedRate(pacingRate: number): CongestionControl {
  const idle = new HpccppWindow({ linkRate: LINK_RATE, baseRtt: 5_000_000 });
  return {
    windowBytes: Number.MAX_SAFE_INTEGER,
    pacingRate,
    onAck: () => 'ignored',
    onLoad: () => 'ignored',
    onFlowCount: () => undefined,
    onIdleRestart: () => undefined,
    metrics: () => idle.metrics(),
  };
}

/** Sends `packets` back to back where something is due; returns how far each flow is off its rate. */
function errors(rates: readonly number[], packets: number): number[] {
  let made = -1;
  const host = testHost(1, {
    expectedHops: 0,
    retransmissionTimeout: 1e13,
    congestionControl: () => fixedRate(rates[made++] ?? LINK_RATE),
  });
  rates.forEach((_, id) => host.startFlow(0, flowTo(2, id, 1e12)));
  const sent = rates.map(() => ({ first: -1, last: 0, packets: 0 }));
  for (let now = 0, count = 0; count < packets;) {
    const packet = host.pollTransmit(now);
    if (packet === undefined) {
      now = host.pollWakeup() ?? now;
      continue;
    }
    count++;
    const id = readUint24(packet.bytes, FLOW_ID_AT);
    const flow = sent[id] as (typeof sent)[0];
    if (flow.first < 0) flow.first = now;
    flow.last = now;
    flow.packets++;
    now += serialisationTime(packet.length, LINK_RATE);
  }
  return sent.map(({ first, last, packets: all }, id) => {
    const rate = ((all - 1) * FRAME * 8e12) / (last - first);
    return Math.abs(rate / (rates[id] as number) - 1);
  });
}

describe('the rates of many flows at one interface', () => {
  // Together 95 % of the link: each packet waits for others, and none may lose by that.
  it.each([
    [3, 1],
    [10, 4],
    [300, 4],
  ])(
    'are kept within 1 %% by each of %d flows, whose rates differ by up to %d',
    (flows, spread) => {
      const weights = Array.from({ length: flows }, (_, i) => 1 + (i % spread));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      const rates = weights.map((weight) => (0.95 * LINK_RATE * weight) / sum);
      expect(Math.max(...errors(rates, 40_000))).toBeLessThan(0.01);
    },
  );

  it('share what there is when they ask for more than the link has', () => {
    const asked = [60e9, 60e9];
    const off = errors(asked, 20_000);
    // 100 of the 120 Gb/s that they ask for.
    for (const error of off) expect(error).toBeCloseTo(1 - 50 / 60, 3);
  });
});
