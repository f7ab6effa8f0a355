import type { Observation } from './observation';

/**
 * What switches have not forwarded, in packets by switch and cause. Embedded ones tell each cause; of others the kernel's counters
 * tell how many frames came in and did not go out.
 */
export function dropsOf(observation: Observation): Record<string, number> {
  const drops: Record<string, number> = {};
  for (const { name } of observation.network.spec.topology.switches) {
    const own = observation.switches.get(name);
    if (own === undefined) {
      const missing = notForwarded(observation, name);
      if (missing > 0) drops[`${name}: not forwarded`] = missing;
    } else {
      for (const [cause, count] of Object.entries(own.dropped)) drops[`${name}: ${cause}`] = count;
    }
  }
  return drops;
}

function notForwarded({ ports }: Observation, name: string): number {
  const last = ports.at(-1)?.ports ?? {};
  const first = ports[0]?.ports ?? {};
  let missing = 0;
  for (const [port, counters] of Object.entries(last)) {
    if (!port.startsWith(`${name}:`)) continue;
    missing += counters.rxPackets - (first[port]?.rxPackets ?? 0);
    missing -= counters.txPackets - (first[port]?.txPackets ?? 0);
  }
  return Math.max(0, missing);
}
