import { InputError } from '../../common/errors';
import type { PacketState } from '../executor/executor';
import type { FilledField } from '../executor/executor';
import type { FieldLayout, Program } from '../ir/nodes';

/** A field of the standard metadata, found once when the program is loaded. */
export interface MetadataField {
  readonly slot: number;
  /** 2^width: values wrap, or saturate at one below. */
  readonly modulus: number;
}

/** Fields without which no packet can be forwarded. */
const REQUIRED = ['ingress_port', 'egress_spec', 'egress_port'] as const;

/** Fields that the switch fills in when the program declares them. */
const OPTIONAL = [
  'instance_type',
  'packet_length',
  'mcast_grp',
  'egress_rid',
  'parser_error',
  'checksum_error',
  'priority',
  'qid',
  'ingress_global_timestamp',
  'egress_global_timestamp',
  'enq_timestamp',
  'enq_qdepth',
  'deq_timedelta',
  'deq_qdepth',
];

export type RequiredName = (typeof REQUIRED)[number];
export type OptionalName = (typeof OPTIONAL)[number];

export type StandardMetadata = Readonly<Record<RequiredName, MetadataField>> &
  Readonly<Record<OptionalName, MetadataField | undefined>>;

/** Targets find these fields by an alias; p4c writes one for each. */
const ALIAS_PREFIXES = ['queueing_metadata', 'intrinsic_metadata', 'standard_metadata'];

/** @throws InputError when the program is not written for v1model. */
export function findStandardMetadata(program: Program): StandardMetadata {
  const found = new Map<string, MetadataField>();
  for (const name of [...REQUIRED, ...OPTIONAL]) {
    const field = findField(program, name);
    if (field !== undefined) found.set(name, { slot: field.slot, modulus: 2 ** field.width });
  }
  const required = (name: RequiredName): MetadataField => {
    const field = found.get(name);
    if (field !== undefined) return field;
    throw new InputError(`wanted a v1model program, found none: no 'standard_metadata.${name}'`);
  };
  // PERF: spelled out, so that the objects of all programs have one shape; read some 15 times a packet.
  return {
    ingress_port: required('ingress_port'),
    egress_spec: required('egress_spec'),
    egress_port: required('egress_port'),
    instance_type: found.get('instance_type'),
    packet_length: found.get('packet_length'),
    mcast_grp: found.get('mcast_grp'),
    egress_rid: found.get('egress_rid'),
    parser_error: found.get('parser_error'),
    checksum_error: found.get('checksum_error'),
    priority: found.get('priority'),
    qid: found.get('qid'),
    ingress_global_timestamp: found.get('ingress_global_timestamp'),
    egress_global_timestamp: found.get('egress_global_timestamp'),
    enq_timestamp: found.get('enq_timestamp'),
    enq_qdepth: found.get('enq_qdepth'),
    deq_timedelta: found.get('deq_timedelta'),
    deq_qdepth: found.get('deq_qdepth'),
  };
}

/**
 * Writes a value modulo the field's width; does nothing when the program has no such field.
 * PERF: most values fit, and the remainder of doubles is a call into the C library.
 */
export function setWrapping(
  state: PacketState,
  field: MetadataField | undefined,
  value: number,
): void {
  if (field === undefined) return;
  const { slot, modulus } = field;
  state.writeMetadata(slot, value < modulus ? value : value % modulus);
}

/** The field, of which a value that does not fit gives the largest one. */
export const saturating = (field: MetadataField | undefined): FilledField | undefined =>
  field && { ...field, saturates: true };

function findField(program: Program, name: string): FieldLayout | undefined {
  for (const prefix of ALIAS_PREFIXES) {
    const field = program.fields.get(`${prefix}.${name}`);
    if (field !== undefined) return field;
  }
  return undefined;
}
