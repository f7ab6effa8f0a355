import type { Packet } from '../../../../../common/packet/packet';
import { readUint24 } from '../../../../../common/wire/bytes';
import { microseconds, PS_PER_SECOND } from '../../../../../common/units/units';
import { HPCC_DATA, HPCC_PROBE } from '../../../../../common/wire/hpcc/hpcc-transport';
import { BASE_RTT_PROBES_FROM } from '../../../../../host-agent/path/base-rtt-prober';
import { PATH_PROBES_FROM } from '../../../../../host-agent/path/path-selector';
import type { FlowSpec, HostConfig } from '../../../../../host-agent/host/host-config';
import { flowTo, testHost } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import type { Side } from '../../../../support/pair-driver';
import { PairDriver } from '../../../../support/pair-driver';
import { seenFrame } from '../../../../support/transport-frames';

const DELAY = microseconds(2);
const FLOW = 3;
/** Less patient than by default, so that a short run shows it all. */
const PLAN = { paths: 2, patienceRtts: 2, probeRtts: 2 };
/** High words of the numbers of probes: what they are for. */
const PATH_PROBES_HIGH = PATH_PROBES_FROM / 2 ** 32;
const BASE_RTT_PROBES_HIGH = BASE_RTT_PROBES_FROM / 2 ** 32;
const END = microseconds(100);
/**
 * Source ports of the flow's first path and of the next one, from its number: 49152 + (49155 + 4099) mod
 * 16384.
 */
const FIRST = 49_155;
const SECOND = 53_254;

/** A link that all paths share, and one for each port: that of `loaded` is full whatever this flow does. */
function twoPaths(loaded: number) {
  let own = 0;
  return (_from: Side, packet: Packet, now: number): Packet => {
    const { hasInt, sourcePort } = seenFrame(packet);
    if (!hasInt) return packet;
    own += packet.length;
    const hop = { portId: 1, timestamp: Math.floor(now / 1000), queueBytes: 0, capacity: 100e9 };
    const full = Math.floor((now / PS_PER_SECOND) * 12.5e9);
    const shared = pushHop(packet, { ...hop, switchId: 1, txBytes: own });
    const txBytes = sourcePort === loaded ? full : 0;
    return pushHop(shared, { ...hop, switchId: sourcePort, txBytes });
  };
}

/** Packets that leave host 1 until `end`, and the host itself. */
function run(config: Partial<HostConfig>, end: number, given: Partial<FlowSpec> = {}) {
  const hosts = [testHost(1, { pathSelection: PLAN, ...config }), testHost(2)] as const;
  const spec = { ...flowTo(2, FLOW, 20_000_000), ...given };
  const network = twoPaths(spec.sourcePort ?? FIRST);
  const driver = new PairDriver(hosts, { delay: DELAY, network });
  hosts[0].startFlow(0, spec);
  driver.run(end);
  const sent = driver.sent.filter(({ from }) => from === 0);
  const seen = sent.map(({ at, packet }) => {
    const frame = seenFrame(packet);
    return { ...frame, at, sequenceHigh: readUint24(packet.bytes, frame.bodyAt - 7) };
  });
  const portsOf = (type: number): number[] => [
    ...new Set(seen.filter((frame) => frame.type === type).map(({ sourcePort }) => sourcePort)),
  ];
  return { seen, portsOf, host: hosts[0] };
}

describe('a flow that may choose its path', () => {
  it('asks about the other path from the port of that one, and leaves for it once', () => {
    const { portsOf, host } = run({}, END);
    expect(portsOf(HPCC_DATA)).toEqual([FIRST, SECOND]);
    expect(portsOf(HPCC_PROBE)).toEqual([SECOND, FIRST]);
    expect(host.flowMetrics(FLOW)?.moves).toBe(1);
    expect(host.counters().packetsRejected.unrequested).toBe(0);
  });

  it('has nothing in flight when it leaves, so that nothing is overtaken', () => {
    const { seen } = run({}, END);
    const data = seen.filter(({ type }) => type === HPCC_DATA);
    const first = data.findIndex(({ sourcePort }) => sourcePort === SECOND);
    const [before, after] = [data[first - 1]?.at ?? NaN, data[first]?.at ?? NaN];
    expect(after - before).toBeGreaterThan(2 * DELAY);
    // All of it goes over the new path from then on.
    expect(data.slice(first).every(({ sourcePort }) => sourcePort === SECOND)).toBe(true);
  });

  it('asks with the telemetry of a probe, and without any payload', () => {
    const { seen } = run({}, END);
    const probes = seen.filter(({ type }) => type === HPCC_PROBE);
    expect(probes.every(({ hasInt, length }) => hasInt && length === 0)).toBe(true);
  });

  it.each([
    [1000, 54_251],
    [65_000, 52_715],
    [49_152, 53_251],
  ])('from port %d goes to %d, which is a dynamic port', (sourcePort, second) => {
    const { portsOf } = run({}, END, { sourcePort });
    expect(portsOf(HPCC_DATA)).toEqual([sourcePort, second]);
  });

  it('chooses only once T is known, and measures it anew as soon as it has moved', () => {
    const { seen, host } = run({ measureBaseRtt: {} }, 2 * END);
    expect(host.flowMetrics(FLOW)?.moves).toBe(1);
    const probes = seen.filter(({ type }) => type === HPCC_PROBE);
    const dataFrom = (port: number): number =>
      seen.find((one) => one.type === HPCC_DATA && one.sourcePort === port)?.at ?? NaN;
    const aboutPaths = probes.filter(({ sequenceHigh }) => sequenceHigh === PATH_PROBES_HIGH);
    expect(aboutPaths[0]?.at).toBeGreaterThan(dataFrom(FIRST));
    const aboutT = probes.filter(({ sequenceHigh }) => sequenceHigh === BASE_RTT_PROBES_HIGH);
    const anew = aboutT.find(({ sourcePort }) => sourcePort === SECOND);
    expect((anew?.at ?? NaN) - dataFrom(SECOND)).toBeLessThan(microseconds(0.2));
  });
});
