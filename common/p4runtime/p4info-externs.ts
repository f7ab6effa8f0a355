import { InputError } from '../errors';
import type { DataType } from './data-type';
import { resolveDataType } from './data-type';
import type * as p4info from './generated/p4/config/v1/p4info';
import { CounterSpecUnit, MeterSpecType, MeterSpecUnit } from './generated/p4/config/v1/p4info';
import type { P4TypeInfo } from './generated/p4/config/v1/p4types';
import { NameIndex } from './name-index';
import type { NamedObject } from './name-index';

export interface SizedInfo extends NamedObject {
  readonly size: number;
}

/** Unit of a counter. */
export type CounterUnit = 'bytes' | 'packets' | 'both';

export interface CounterInfo extends SizedInfo {
  readonly unit: CounterUnit;
}

/** A counter with one cell per entry of a table. */
export interface DirectCounterInfo extends NamedObject {
  readonly unit: CounterUnit;
  readonly tableId: number;
}

export type MeterKind =
  | 'two-rate-three-color'
  | 'single-rate-three-color'
  | 'single-rate-two-color';

/** Unit of a meter, and the number of its colours. */
export interface MeterTraits {
  readonly unit: 'bytes' | 'packets';
  readonly meterKind: MeterKind;
}

export interface MeterInfo extends SizedInfo, MeterTraits {}

export interface DirectMeterInfo extends NamedObject, MeterTraits {
  readonly tableId: number;
}

export interface RegisterInfo extends SizedInfo {
  readonly dataType: DataType;
}

export interface DigestInfo extends NamedObject {
  readonly dataType: DataType;
}

/** A field of a header in front of packets from or to the controller. */
export interface PacketFieldInfo extends NamedObject {
  /** Width in bits. */
  readonly width: number;
  /** Annotated with `@padding`: it only fills the header up to whole bytes. */
  readonly padding: boolean;
}

/** A header annotated with `@controller_header`: "packet_in" or "packet_out". */
export interface PacketHeaderInfo extends NamedObject {
  readonly fields: NameIndex<PacketFieldInfo>;
}

/** A type of externs that an architecture adds, with its instances. */
export interface ExternTypeInfo extends NamedObject {
  readonly instances: NameIndex<NamedObject>;
}

/** The number and names that every object of P4Info begins with. @throws InputError */
export function named(object: { readonly preamble: p4info.Preamble | undefined }): NamedObject {
  const { preamble } = object;
  if (preamble === undefined || preamble.id === 0 || preamble.name === '') {
    throw new InputError('P4Info: an object without a number or a name');
  }
  return { id: preamble.id, name: preamble.name, alias: preamble.alias };
}

export function counterInfo(counter: p4info.Counter): CounterInfo {
  return { ...named(counter), size: Number(counter.size), unit: counterUnit(counter) };
}

export function directCounterInfo(counter: p4info.DirectCounter): DirectCounterInfo {
  return { ...named(counter), tableId: counter.directTableId, unit: counterUnit(counter) };
}

export function meterInfo(meter: p4info.Meter): MeterInfo {
  return { ...named(meter), size: Number(meter.size), ...meterTraits(meter) };
}

export function directMeterInfo(meter: p4info.DirectMeter): DirectMeterInfo {
  return { ...named(meter), tableId: meter.directTableId, ...meterTraits(meter) };
}

export function registerInfo(
  register: p4info.Register,
  types: P4TypeInfo | undefined,
): RegisterInfo {
  const spec = register.hasTypeSpec ? register.typeSpec : undefined;
  return { ...named(register), size: register.size, dataType: resolveDataType(spec, types) };
}

export function digestInfo(digest: p4info.Digest, types: P4TypeInfo | undefined): DigestInfo {
  const spec = digest.hasTypeSpec ? digest.typeSpec : undefined;
  return { ...named(digest), dataType: resolveDataType(spec, types) };
}

export function packetHeaderInfo(header: p4info.ControllerPacketMetadata): PacketHeaderInfo {
  const fields = header.metadata.map(({ id, name, bitwidth, annotations }) => {
    const padding = annotations.some((each) => each.startsWith('@padding'));
    return { id, name, alias: name, width: bitwidth, padding };
  });
  return { ...named(header), fields: new NameIndex('metadata field', fields) };
}

export function externTypeInfo(extern: p4info.Extern): ExternTypeInfo {
  const { externTypeId: id, externTypeName: name } = extern;
  const instances = extern.instances.map((each) => named(each));
  return { id, name, alias: name, instances: new NameIndex(`instance of ${name}`, instances) };
}

type WithSpec<Spec> = { readonly hasSpec: boolean; readonly spec: Spec };

function counterUnit({ hasSpec, spec }: WithSpec<p4info.CounterSpec>): CounterUnit {
  if (!hasSpec) return 'both';
  if (spec.unit === CounterSpecUnit.BYTES) return 'bytes';
  return spec.unit === CounterSpecUnit.PACKETS ? 'packets' : 'both';
}

function meterTraits({ hasSpec, spec }: WithSpec<p4info.MeterSpec>): MeterTraits {
  const unit = hasSpec && spec.unit === MeterSpecUnit.PACKETS ? 'packets' : 'bytes';
  const type = hasSpec ? spec.type : MeterSpecType.TWO_RATE_THREE_COLOR;
  if (type === MeterSpecType.SINGLE_RATE_THREE_COLOR) {
    return { unit, meterKind: 'single-rate-three-color' };
  }
  const twoColor = type === MeterSpecType.SINGLE_RATE_TWO_COLOR;
  return { unit, meterKind: twoColor ? 'single-rate-two-color' : 'two-rate-three-color' };
}
