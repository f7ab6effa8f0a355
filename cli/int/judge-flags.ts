import { InvalidArgumentError } from 'commander';
import { InputError } from '../../common/errors';
import { JUDGED_CARRIERS } from '../../common/telemetry/judge/carriers';
import type { JudgedCarrier } from '../../common/telemetry/judge/carriers';
import { isReporting } from '../../common/telemetry/judge/roles';
import type { JudgedRole } from '../../common/telemetry/judge/roles';

/** Kind of a device under test, or the address of its P4Runtime server. */
export type Dut = 'embedded' | 'interfaces' | { readonly p4runtime: string };

const P4RUNTIME = /^p4runtime:(.+:\d+)$/;

/** A device under test, for commander. */
export function dutOption(text: string): Dut {
  if (text === 'embedded' || text === 'interfaces') return text;
  const address = P4RUNTIME.exec(text)?.[1];
  if (address !== undefined) return { p4runtime: address };
  throw new InvalidArgumentError('must be embedded, interfaces, or p4runtime:HOST:PORT.');
}

/** Names of the fields that hold ports, of packet_out and packet_in, for commander. */
export function portFieldsOption(text: string): readonly [string, string] {
  const [into = '', from = '', ...more] = text.split(',');
  if (into !== '' && from !== '' && more.length === 0) return [into, from];
  throw new InvalidArgumentError('must be two names, such as ingress_port,egress_port.');
}

/** Options of `hpcc int judge`. */
export interface JudgeFlags {
  readonly role: JudgedRole;
  readonly json?: true;
  readonly junit?: string;
  readonly clauses?: true;
  readonly reports?: string;
  readonly dut?: Dut;
  readonly program?: string;
  readonly setUp?: string;
  readonly in?: string;
  readonly out?: string;
  readonly collector?: string;
  readonly reportPort: number;
  readonly waitMs: number;
  readonly intDscp: number;
  readonly intPort: number;
  readonly intMarker?: [number, number];
  readonly from?: string;
  readonly to?: string;
  readonly toMac?: Uint8Array;
  readonly carrier?: readonly JudgedCarrier[];
  readonly ioamNamespace?: number;
  readonly ports?: readonly [string, string];
  readonly deviceId?: number;
}

const DEVICE_FLAGS = [
  'program',
  'setUp',
  'in',
  'out',
  'collector',
  'from',
  'to',
  'toMac',
  'carrier',
  'ports',
  'deviceId',
] as const;
const EMBEDDED_FLAGS = ['program', 'setUp'] as const;
const P4RUNTIME_FLAGS = ['ports', 'deviceId'] as const;
/** Those that have defaults, and act where packets take time. */
const TIMED_FLAGS = ['reportPort', 'waitMs'] as const;

export const nameOf = (flag: string): string =>
  `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const INT_FLAGS = ['intDscp', 'intPort'] as const;

/** Refuses options with defaults that were given and would not act. */
export function refuseLoneDefaults(flags: JudgeFlags, isGiven: (flag: string) => boolean): void {
  const timed = TIMED_FLAGS.find(isGiven);
  if (timed !== undefined && (flags.dut === undefined || flags.dut === 'embedded'))
    throw new InputError(`${nameOf(timed)} goes with --dut interfaces or p4runtime`);
  const ofInt = INT_FLAGS.find(isGiven);
  if (ofInt !== undefined && isOfIoam(flags)) throw noUse(ofInt, flags);
}

const isOfIoam = ({ role }: JudgeFlags): boolean => role.startsWith('ioam-');

const noUse = (flag: string, { role }: JudgeFlags): InputError =>
  new InputError(`${nameOf(flag)}: the role ${role} has no use for it`);

/** Refuses options that would not act. */
export function refuseMisfits(
  sent: string | undefined,
  returned: string | undefined,
  flags: JudgeFlags,
): void {
  const given = (names: readonly (keyof JudgeFlags)[]): string | undefined =>
    names.find((name) => flags[name] !== undefined);
  const foreign = isOfIoam(flags) ? given(['carrier', 'intMarker']) : given(['ioamNamespace']);
  if (foreign !== undefined) throw noUse(foreign, flags);
  const reporting = given(['collector', 'reports']);
  if (reporting !== undefined && !isReporting(flags.role))
    throw new InputError(`${nameOf(reporting)}: the role ${flags.role} reports nothing`);
  if (flags.dut === undefined) {
    const lone = given(DEVICE_FLAGS);
    if (lone !== undefined) throw new InputError(`${nameOf(lone)} goes with --dut`);
    if (sent === undefined || returned === undefined)
      throw new InputError('wanted two captures, what went in and what came out, or --dut');
    return;
  }
  if (returned !== undefined || flags.reports !== undefined)
    throw new InputError(
      'a device gives what comes back: a capture of it, and --reports, go without --dut',
    );
  const own = given(['from', 'to', 'toMac', 'carrier']);
  if (own !== undefined && sent !== undefined)
    throw new InputError(`${nameOf(own)} is for the judge's own frames, and ${sent} has others`);
  refuseForDevice(flags.dut, flags, given);
}

function refuseForDevice(
  dut: Dut,
  flags: JudgeFlags,
  given: (names: readonly (keyof JudgeFlags)[]) => string | undefined,
): void {
  const ofP4Runtime = given(P4RUNTIME_FLAGS);
  if (ofP4Runtime !== undefined && typeof dut === 'string')
    throw new InputError(`${nameOf(ofP4Runtime)} goes with --dut p4runtime:ADDRESS`);
  const ofEmbedded = given(EMBEDDED_FLAGS);
  if (dut === 'embedded') {
    if (flags.program === undefined) throw new InputError('--dut embedded wants --program');
    return;
  }
  if (ofEmbedded !== undefined)
    throw new InputError(`${nameOf(ofEmbedded)} goes with --dut embedded`);
  if (dut === 'interfaces' && (flags.in === undefined || flags.out === undefined))
    throw new InputError('--dut interfaces wants --in and --out, the names of interfaces');
}

/** All are those that the domain has: a marker must be said. */
export function carriersOf({
  carrier,
  intMarker,
}: JudgeFlags): readonly JudgedCarrier[] | undefined {
  const isThere = (name: JudgedCarrier): boolean => name !== 'marker' || intMarker !== undefined;
  if (carrier?.length === 0) return JUDGED_CARRIERS.filter(isThere);
  if (carrier?.every(isThere) !== false) return carrier;
  throw new InputError('--carrier marker wants --int-marker, what the domain announces INT by');
}

/** Names of carriers, parted by commas, for commander; none for all. */
export function carriersOption(text: string): readonly JudgedCarrier[] {
  if (text === 'all') return [];
  return text.split(',').map((name) => {
    const found = JUDGED_CARRIERS.find((carrier) => carrier === name);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`must be all, or some of ${JUDGED_CARRIERS.join(',')}.`);
  });
}

const MAC = /^([\da-f]{2}:){5}[\da-f]{2}$/i;

/** Bytes of a MAC address, for commander. */
export function macOption(text: string): Uint8Array {
  if (!MAC.test(text))
    throw new InvalidArgumentError('must be six bytes, such as 02:00:00:00:00:02.');
  return Uint8Array.from(text.split(':'), (byte) => parseInt(byte, 16));
}
