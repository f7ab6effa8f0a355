import { HostLedger } from '../../../../host-agent/host/host';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { Connections } from '../../../../host-agent/roce/connections';
import { targetQpn } from '../../../../host-agent/roce/packets/connection-numbers';
import type { ReceivedPacket } from '../../../../host-agent/roce/packets/received-packet';
import { checkRoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { PS_PER_SECOND } from '../../../../common/units/units';
import type { Instant } from '../../../../common/units/units';
import { addressOf, macOf } from '../../../support/hosts';

const KNOWN_MAX = 32_768;
/** Retransmission timeout of the host. */
const TIMEOUT = 500e6;

function connections(): Connections {
  const config = checkRoceConfig({
    address: addressOf(1),
    mac: macOf(1),
    linkRate: 100e9,
    baseRtt: 5_000_000,
    congestionControl: hpccppFactory(),
  });
  const ignore = (): undefined => undefined;
  return new Connections(config, new HostLedger(undefined), {
    answer: ignore,
    started: ignore,
    ended: ignore,
  });
}

/** A packet of a connection that nobody knows, as far as its target is looked for. */
function packetOf(sourceAddress: number): ReceivedPacket {
  const packet = {
    bth: { destinationQp: targetQpn(1, 1), psn: 0 },
    content: { kind: 'telemetry-request' },
    sourceAddress,
    sourceMac: macOf(2),
    sourcePort: 50_000,
  };
  return packet as unknown as ReceivedPacket;
}

describe('connections of others', () => {
  test('are known up to a bound; those that are done, and silent ones, give way to new ones', () => {
    const host = connections();
    const targets = Array.from({ length: KNOWN_MAX }, (_, i) => host.targetFor(0, packetOf(i)));
    const done = (i: number): void =>
      void Object.defineProperty(targets[i] as object, 'isIdle', { value: true });
    // Each look for room goes on where the last one has ended, 64 targets further.
    expect(host.targetFor(0, packetOf(KNOWN_MAX))).toBe('too-many-flows');
    expect(typeof host.targetFor(0, packetOf(5))).toBe('object');
    done(100);
    expect(host.targetFor(8 * TIMEOUT, packetOf(KNOWN_MAX))).toBe('too-many-flows');
    done(150);
    expect(typeof host.targetFor(8 * TIMEOUT + 1, packetOf(KNOWN_MAX))).toBe('object');
    expect(host.targetFor(8 * TIMEOUT + 1, packetOf(KNOWN_MAX + 1))).toBe('too-many-flows');
    const later: Instant = 11 * PS_PER_SECOND;
    expect(typeof host.targetFor(later, packetOf(KNOWN_MAX + 1))).toBe('object');
    expect(typeof host.targetFor(later, packetOf(KNOWN_MAX + 2))).toBe('object');
  });

  test('that are done are forgotten after a while, though there is room', () => {
    const host = connections();
    const every = PS_PER_SECOND / 100;
    const targets = Array.from({ length: 10_000 }, (_, i) => {
      const target = host.targetFor(i * every, packetOf(i)) as object;
      return Object.defineProperty(target, 'isIdle', { value: true });
    });
    const isKnown = (i: number): boolean =>
      host.targetFor(targets.length * every, packetOf(i)) === targets[i];
    // Those of the last ten seconds stay, and with them what the search has not come to again.
    const known = targets.map((_, i) => isKnown(targets.length - 1 - i)).filter(Boolean).length;
    expect(known).toBeGreaterThanOrEqual(1000);
    expect(known).toBeLessThan(3000);
  });
});
