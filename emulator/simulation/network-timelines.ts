import { nanoseconds } from '../../common/units/units';
import { TimelineRecorder } from '../record/timelines';
import type { TrafficCounter } from '../record/traffic';
import type { ScenarioDocument } from '../scenario/schema';
import type { Network } from './build-network';

interface Watched {
  readonly network: Network;
  readonly scenario: ScenarioDocument;
  readonly traffic: TrafficCounter;
}

/** Records load, queues and drops of a whole network. */
export function networkTimelines({ network, scenario, traffic }: Watched): TimelineRecorder {
  return new TimelineRecorder({
    links: network.channels,
    interval: nanoseconds(scenario.record.queueIntervalNs),
    counts: () => ({
      droppedPackets: droppedPackets(network),
      feedbackPackets: traffic.traffic.feedback.packets,
    }),
  });
}

/** By switches and on links, so far. */
function droppedPackets({ switches, channels }: Network): number {
  let count = 0;
  for (const { device } of switches.values()) {
    for (const dropped of Object.values(device.counters().drops)) count += dropped;
  }
  return channels.reduce((sum, { ledger }) => sum + ledger.lostPackets, count);
}
