import { milliseconds } from '../../../../common/units/units';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import { MeteredControl } from '../../../../host-agent/traffic/metered-control';
import { warmUp } from '../../../../host-agent/traffic/warm-up';
import type { HostConfig } from '../../../../host-agent/host/host-config';

const SEGMENTS = 40;
const plans: readonly (readonly [string, FeedbackOptions, Partial<HostConfig>])[] = [
  ['acknowledgements', {}, {}],
  ['one acknowledgement for eight packets', { acknowledgeEvery: 8 }, {}],
  ['notifications', { returnBy: 'notification' }, {}],
  ['probes', { collectBy: 'probe' }, {}],
  ['the algorithm at the receiver', { algorithmAt: 'receiver', acknowledgeEvery: 2 }, {}],
  ['hidden links and counted flows', { hidesLinks: true, countsFlows: true }, {}],
  ['T to be measured', {}, { measureBaseRtt: {} }],
  ['a timeout below T', {}, { baseRtt: milliseconds(50), retransmissionTimeout: milliseconds(10) }],
  ['frames of IPv6', {}, { carrier: { name: 'int', ipVersion: 'ipv6' } }],
  ['paths to choose among, and large segments', {}, { pathSelection: { paths: 2 }, mss: 4000 }],
];

function run(feedback: FeedbackOptions, given: Partial<HostConfig>) {
  const controls: MeteredControl[] = [];
  const config: HostConfig = {
    address: 1,
    mac: 1,
    linkRate: 100e6,
    baseRtt: milliseconds(1),
    feedback,
    ...given,
    congestionControl: (environment) => {
      controls.push(new MeteredControl(hpccppFactory()(environment)));
      return controls.at(-1) as MeteredControl;
    },
  };
  return { ...warmUp(config, SEGMENTS), controls };
}

describe('a warm-up', () => {
  it.each(plans)('delivers a flow inside the process with %s', (_, feedback, given) => {
    const { sender, receiver } = run(feedback, given);
    expect(receiver.bytesDelivered).toBe(SEGMENTS * (given.mss ?? 1000));
    expect(sender.acksReceived).toBe(receiver.acksSent);
    expect(sender.dataSent).toBeLessThanOrEqual(2 * SEGMENTS);
    for (const { packetsRejected, telemetryRefused } of [sender, receiver]) {
      expect(telemetryRefused).toBe(0);
      expect(Object.values(packetsRejected).every((count) => count === 0)).toBe(true);
    }
  });

  it.each(['ipv4', 'ipv6'] as const)('brings the telemetry of one link over %s', (ipVersion) => {
    const { controls } = run({}, { carrier: { name: 'int', ipVersion } });
    expect(controls.at(-1)?.figures).toMatchObject({ hops: 1, withTelemetry: SEGMENTS });
    expect(controls.at(-1)?.metrics().acksProcessed).toBe(SEGMENTS - 1);
  });
});
