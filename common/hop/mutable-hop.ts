import type { HopTelemetry } from './hop';
import type { HopUnits } from './hop-units';

/** A hop that is being put together; the fields that a carrier lacks are never set. */
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
