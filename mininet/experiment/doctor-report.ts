import { z } from 'zod';
import type { MachineCapacity } from './parameters';

/** What hpccnet_doctor.py prints. */
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
    }),
  ),
});

export type DoctorReport = z.infer<typeof doctorSchema>;

/** What experiments take their defaults from; undefined when nothing was measured. */
export function machineCapacity({ capacity }: DoctorReport): MachineCapacity | undefined {
  const [first] = capacity;
  if (first === undefined) return undefined;
  const rates = capacity
    .filter(({ packetsPerSecond }) => packetsPerSecond > 0)
    .map(({ kind, packetsPerSecond }) => [kind, packetsPerSecond] as const);
  return { packetsPerSecond: Object.fromEntries(rates), frameBytes: first.frameBytes };
}

/** What experiments cannot do without; a machine that lacks anything else still runs most of them. */
const EVERYTHING = 'everything';

/** Whether experiments can run at all. */
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
  return [...lines, ...install, '', `${cores} cores, idle ${percent(idle)}`, ...measured].join(
    '\n',
  );
}
