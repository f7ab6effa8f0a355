import type { BitsPerSecond } from '../units/units';
import type { HopTelemetry } from './hop';

/** Units and link capacities of telemetry whose carrier leaves them to out-of-band agreement. */
export interface HopUnits {
  /** Bytes per unit of queue occupancy in INT and IOAM. */
  readonly queueUnit: number;
  /** Bytes per cell of a queue in IFA. */
  readonly cellBytes: number;
  /** ns per unit of an INT timestamp. */
  readonly timestampUnit: number;
  /** Share of the link per unit of INT's transmit utilization. */
  readonly utilizationUnit: number;
  /** Unit of IOAM's timestamp fraction (RFC 9197 section 5): ns, us, or 2^-32 s. */
  readonly ioamFraction: 'ptp' | 'posix' | 'ntp';
  /** Capacity of a link whose carrier does not name it. */
  readonly capacityOf: (link: { switchId?: number; portId?: number }) => BitsPerSecond | undefined;
}

export const DEFAULT_HOP_UNITS: HopUnits = {
  queueUnit: 1,
  cellBytes: 80,
  timestampUnit: 1,
  utilizationUnit: 0.001,
  ioamFraction: 'ptp',
  capacityOf: () => undefined,
};

const GIGABIT = 1e9;

/** Speed codes of the HPCC simulator, which the paper's padding leaves open. */
const NS3_SPEEDS = [25, 50, 100, 200, 400];
/** Those of the padding as switches here write it: the simulator's, and three more. */
const PADDING_SPEEDS = [...NS3_SPEEDS, 800, 10, 40];
/** Speed codes of IFA 2. */
const IFA_SPEEDS = [10, 25, 40, 50, 100, 200, 400];

export const ns3Speed = (code: number): BitsPerSecond | undefined => speed(NS3_SPEEDS, code);
export const paddingSpeed = (code: number): BitsPerSecond | undefined =>
  speed(PADDING_SPEEDS, code);
export const ifaSpeed = (code: number): BitsPerSecond | undefined => speed(IFA_SPEEDS, code);

function speed(speeds: readonly number[], code: number): BitsPerSecond | undefined {
  const gigabits = speeds[code];
  return gigabits === undefined ? undefined : gigabits * GIGABIT;
}

/** A hop under construction; fields that the carrier does not carry are never set. */
export type MutableHop = { -readonly [Key in keyof HopTelemetry]: HopTelemetry[Key] };

export const ALL_ONES_16 = 0xffff;
export const ALL_ONES_24 = 0xff_ffff;
export const ALL_ONES_32 = 0xffff_ffff;

/** The value, unless it is absent or the mark of "not available". */
export const available = (value: number | undefined, mark: number): number | undefined =>
  value === mark ? undefined : value;

/** Sets a field if there is a value. */
export function setField<Key extends keyof MutableHop>(
  hop: MutableHop,
  key: Key,
  value: MutableHop[Key],
): void {
  if (value !== undefined) hop[key] = value;
}

/** Fills in the capacity from configuration where the carrier gave none. */
export function withCapacity(hop: MutableHop, units: HopUnits): HopTelemetry {
  if (hop.capacity === undefined) setField(hop, 'capacity', units.capacityOf(hop));
  return hop;
}
