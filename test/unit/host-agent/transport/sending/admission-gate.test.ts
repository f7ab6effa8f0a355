import type { Packet } from '../../../../../common/packet/packet';
import { microseconds, PS_PER_SECOND } from '../../../../../common/units/units';
import { HPCC_DATA, HPCC_PROBE } from '../../../../../common/wire/hpcc/hpcc-transport';
import { flowTo, testHost } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import type { Side } from '../../../../support/pair-driver';
import { PairDriver } from '../../../../support/pair-driver';
import { seenFrame } from '../../../../support/transport-frames';

const DELAY = microseconds(2);

/** A switch whose link is full until `freeAt`, whatever this pair sends, and idle afterwards. */
function busyUntil(freeAt: number) {
  return (_from: Side, packet: Packet, now: number): Packet => {
    if (packet.bytes[15] === 0) return packet;
    const timestamp = Math.floor(now / 1000);
    const txBytes = Math.floor((Math.min(now, freeAt) / PS_PER_SECOND) * 12.5e9);
    const hop = { switchId: 1, portId: 1, timestamp, txBytes, queueBytes: 0, capacity: 100e9 };
    return pushHop(packet, hop);
  };
}

function run(freeAt: number, within?: number) {
  const hosts = [testHost(1), testHost(2)] as const;
  const driver = new PairDriver(hosts, { delay: DELAY, network: busyUntil(freeAt) });
  const admission = within === undefined ? {} : { within };
  hosts[0].startFlow(0, { ...flowTo(2, 0, 20_000), admission });
  expect(driver.run(PS_PER_SECOND)).toBe(true);
  const seen = driver.sent.map(({ at, packet }) => ({ at, type: seenFrame(packet).type }));
  const dataAt = seen.filter(({ type }) => type === HPCC_DATA).map(({ at }) => at);
  const probeAt = seen.filter(({ type }) => type === HPCC_PROBE).map(({ at }) => at);
  return { first: dataAt[0] ?? NaN, segments: dataAt.length, probeAt, events: driver.events };
}

describe('a flow with admission', () => {
  it('sends no data before its path has room, all of it afterwards, and no more probes', () => {
    const freeAt = microseconds(100);
    const { first, segments, probeAt, events } = run(freeAt);
    expect(first).toBeGreaterThan(freeAt);
    expect(first).toBeLessThan(freeAt + microseconds(60));
    expect(segments).toBe(20);
    expect(Math.max(...probeAt)).toBeLessThan(first);
    expect(probeAt.length).toBeGreaterThan(4);
    expect(events[0].some(({ kind }) => kind === 'flow-completed')).toBe(true);
  });

  it('begins within two round trips and four T on an idle path', () => {
    const { first, probeAt } = run(0);
    expect(probeAt).toHaveLength(2);
    expect(first).toBeLessThan(2 * microseconds(4.2) + 4 * microseconds(5));
  });

  it('begins when it has waited for as long as it can, whatever the load', () => {
    expect(run(PS_PER_SECOND, microseconds(70)).first).toBe(microseconds(70));
  });

  it.each([
    [{ feedback: { algorithmAt: 'receiver' } }, 'admission needs telemetry at the sender'],
    [{ measureBaseRtt: {} }, 'admission counts in T: it needs to be told, not measured'],
  ] as const)('is refused with %j', (config, message) => {
    const host = testHost(1, config);
    const start = () => host.startFlow(0, { ...flowTo(2, 0, 1000), admission: {} });
    expect(start).toThrow(message);
    // Nothing of it is left behind.
    host.startFlow(0, flowTo(2, 0, 1000));
  });

  it('is refused with a load out of range', () => {
    const start = () =>
      testHost(1).startFlow(0, { ...flowTo(2, 0, 1000), admission: { loadBelow: 2 } });
    expect(start).toThrow('admission.loadBelow must be');
  });
});
