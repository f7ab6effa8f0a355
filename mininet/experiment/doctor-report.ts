import { z } from 'zod';
import type { MachineCapacity } from './parameters';

/** Output of hpccnet_doctor.py. */
export const doctorSchema = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      found: z.string(),
      wanted: z.string(),
      /** Debian's; empty when no package helps. */
      packages: z.array(z.string()),
      neededFor: z.string(),
    }),
  ),
  cores: z.number(),
  /** Share of the processors without work before anything was measured. */
  idle: z.number(),
  capacity: z.array(
    z.object({
      kind: z.enum(['embedded', 'bmv2']),
      packetsPerSecond: z.number(),
      idle: z.number(),
      frameBytes: z.number(),
      /** Frames that wait so long in the switch's process are rare; null where it does not say. */
      lateMs: z.number().nullish(),
    }),
  ),
});

export type DoctorReport = z.infer<typeof doctorSchema>;

/**
 * Capacity of the machine, for the defaults of experiments; undefined when nothing was measured.
 */
export function machineCapacity({ capacity }: DoctorReport): MachineCapacity | undefined {
  const [first] = capacity;
  if (first === undefined) return undefined;
  const rates = capacity
    .filter(({ packetsPerSecond }) => packetsPerSecond > 0)
    .map(({ kind, packetsPerSecond }) => [kind, packetsPerSecond] as const);
  return { packetsPerSecond: Object.fromEntries(rates), frameBytes: first.frameBytes };
}

/** Mark of requirements of all experiments; without others, most experiments still run. */
const EVERYTHING = 'everything';

/** True if experiments can run at all. */
export function canRun({ checks }: DoctorReport): boolean {
  return checks.every(({ ok, neededFor }) => ok || neededFor !== EVERYTHING);
}

/** The report for people, with the one command that installs what is missing. */
export function doctorText({ checks, cores, idle, capacity }: DoctorReport): string {
  const lines = checks.map(({ name, ok, found, wanted, neededFor }) => {
    if (ok) return `ok       ${name}: ${found}`;
    const sign = neededFor === EVERYTHING ? 'MISSING ' : 'without ';
    return `${sign} ${name}: wanted ${wanted}, found ${found}; for ${neededFor}`;
  });
  const packages = [...new Set(checks.flatMap((each) => (each.ok ? [] : each.packages)))];
  const install =
    packages.length > 0 ? [`\ninstall with: apt-get install ${packages.join(' ')}`] : [];
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  const measured = capacity.map(
    ({ kind, packetsPerSecond, frameBytes, idle: left }) =>
      `${kind}: ${Math.round(packetsPerSecond)} packets/s of ${frameBytes} bytes ` +
      `(${((packetsPerSecond * frameBytes * 8) / 1e6).toFixed(0)} Mb/s), idle ${percent(left)}`,
  );
  const proposed = capacity
    .filter(({ packetsPerSecond }) => packetsPerSecond > 0)
    .map((each) => `${each.kind}: try ${proposal(each)}`);
  const machine = `${cores} cores, idle ${percent(idle)}`;
  return [...lines, ...install, '', machine, ...measured, ...proposed].join('\n');
}

/** Share of the capacity of one switch alone, which leaves room for hosts and a second switch. */
const RATE_SHARE = 0.15;
/** T in packets of the bottleneck; with fewer, one that waits weighs more than a tenth in U. */
const PACKETS_PER_ROUND_TRIP = 10;
/** Time of a host's and a switch's turns where nothing else runs. */
const ROUND_TRIP_MS_MIN = 1;
/** Round trips after which percentiles of queues stay as they are. */
const ROUND_TRIPS = 2000;
const SECONDS_MIN = 10;

/** Parameters of experiments with two switches that this machine carries honestly. */
function proposal({
  packetsPerSecond,
  frameBytes,
  lateMs,
}: DoctorReport['capacity'][number]): string {
  const frameBits = 8 * frameBytes;
  const mbps = Math.max(1, Math.floor((RATE_SHARE * packetsPerSecond * frameBits) / 1e6));
  const packetsMs = (PACKETS_PER_ROUND_TRIP * frameBits) / (1e3 * mbps);
  const roundTripMs = Math.ceil(Math.max(ROUND_TRIP_MS_MIN, lateMs ?? 0, packetsMs));
  const seconds = Math.max(SECONDS_MIN, Math.ceil((ROUND_TRIPS * roundTripMs) / 1000));
  const values = { rate: mbps, hostRate: 2 * mbps, rttUs: 1000 * roundTripMs, seconds };
  return Object.entries(values)
    .map(([name, value]) => `--set ${name}=${value}`)
    .join(' ');
}
