import type { Observation } from './observation';

/** Packets that switches have not forwarded. */
export interface Drops {
  /** In packets, by switch and cause. */
  readonly byCause: Readonly<Record<string, number>>;
  /** Undefined where a switch does not count drops. */
  readonly total: number | undefined;
}

/**
 * Drops of all switches. Embedded switches report each cause. For others, the kernel's counters
 * show how many frames came in and did not go out: from before the first packet until no queue had
 * any left, and only where the program makes no packets itself, each of which would hide a lost
 * one.
 */
export function dropsOf(observation: Observation): Drops {
  const byCause: Record<string, number> = {};
  let total: number | undefined = 0;
  for (const { name } of observation.network.spec.topology.switches) {
    const own = observation.switches.get(name);
    const causes = own?.dropped ?? notForwarded(observation, name);
    for (const [cause, count] of Object.entries(causes ?? {})) {
      if (count === 0) continue;
      byCause[`${name}: ${cause}`] = count;
      if (total !== undefined) total += count;
    }
    if (causes === undefined) total = undefined;
  }
  return { byCause, total };
}

/** Profiles whose switches answer or notify hosts, or report. */
const MAKES_PACKETS: ReadonlySet<string> = new Set([
  'hpcc-feedback',
  'hpcc-feedback-signed',
  'hpcc-ccm',
  'hpcc-edge',
  'int-v2',
]);

function notForwarded(
  { ports, run, network }: Observation,
  name: string,
): Record<string, number> | undefined {
  const { program = 'hpcc' } = network.text;
  if (!run.quiet || typeof program !== 'string' || MAKES_PACKETS.has(program)) return undefined;
  const last = ports.at(-1)?.ports ?? {};
  const first = ports[0]?.ports ?? {};
  let missing = 0;
  for (const [port, counters] of Object.entries(last)) {
    if (!port.startsWith(`${name}:`)) continue;
    missing += counters.rxPackets - (first[port]?.rxPackets ?? 0);
    missing -= counters.txPackets - (first[port]?.txPackets ?? 0);
  }
  return missing < 0 ? undefined : { 'not forwarded': missing };
}
