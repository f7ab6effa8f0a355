import type { Result } from '../../emulator/result/result';
import type { Observation } from './observation';

/** Ethernet, IPv4, UDP, INT shim, INT-MD header and our transport header. */
const DATA_HEADERS = 74;

/** Lengths on the wire: full data frames, and what acknowledgements were on average. */
export function frameLengths(observation: Observation): Result['frames'] {
  const { algorithm, frameBytes } = observation.own.document;
  return {
    dataAtHostBytes: DATA_HEADERS + algorithm.mss,
    dataAtBottleneckBytes: frameBytes,
    ackBytes: averageAckBytes(observation),
    segmentBytes: algorithm.mss,
  };
}

/** Of what comes in from hosts that only receive. */
function averageAckBytes({ network, agents, ports, flows }: Observation): number {
  const senders = new Set(flows.map(({ sender: { flow } }) => flow.from));
  const last = ports.at(-1)?.ports ?? {};
  const first = ports[0]?.ports ?? {};
  let [bytes, packets] = [0, 0];
  for (const { a, b } of network.spec.topology.links) {
    const [host, port] = agents.has(a.node) ? [a, b] : [b, a];
    if (!agents.has(host.node) || senders.has(host.node)) continue;
    const name = `${port.node}:${port.port}`;
    bytes += (last[name]?.rxBytes ?? 0) - (first[name]?.rxBytes ?? 0);
    packets += (last[name]?.rxPackets ?? 0) - (first[name]?.rxPackets ?? 0);
  }
  return packets === 0 ? 0 : Math.round(bytes / packets);
}
