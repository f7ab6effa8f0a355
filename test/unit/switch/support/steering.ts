import { assign, field, hex, op, primitive } from './json-values';
import { acceptState, alwaysRun, extract } from './program';
import type { Primitive } from './json-values';
import type { FieldSpec, ProgramSpec } from './program';

/**
 * A program that forwards by the first byte of a packet, gives it the priority of the second, and
 * tells in front of it what its metadata were in egress:
 *
 *   in:   port 1 | priority 1 | payload      out: trace 10 | port 1 | priority 1 | payload
 *
 * Tests add what ingress and egress do before that. `m.kept` is in field list 1, `m.lost` is not.
 */
export const TRACE: readonly FieldSpec[] = [
  ['type', 8],
  ['rid', 16],
  ['kept', 8],
  ['lost', 8],
  ['ingress_port', 16],
  ['egress_port', 8],
  ['length', 16],
];

const SOURCES: readonly (readonly [string, string])[] = [
  ['type', 'standard_metadata.instance_type'],
  ['rid', 'standard_metadata.egress_rid'],
  ['kept', 'm.kept'],
  ['lost', 'm.lost'],
  ['ingress_port', 'standard_metadata.ingress_port'],
  ['egress_port', 'standard_metadata.egress_port'],
  ['length', 'standard_metadata.packet_length'],
];

/** The positions of jumps count from the first statement of the given ones. */
export function steering(
  ingress: readonly Primitive[],
  egress: readonly Primitive[] = [],
): ProgramSpec {
  return {
    metadata: [
      ['kept', 8],
      ['lost', 8],
    ],
    types: {
      request_t: [
        ['port', 8],
        ['priority', 8],
      ],
      trace_t: TRACE,
    },
    headers: [
      ['request', 'request_t'],
      ['trace', 'trace_t'],
    ],
    order: ['trace', 'request'],
    states: [acceptState('start', [extract('request')])],
    ingress: alwaysRun({
      id: 1,
      name: 'steer',
      body: [
        ...ingress,
        assign('standard_metadata.egress_spec', field('request.port')),
        assign('standard_metadata.priority', field('request.priority')),
      ],
    }),
    egress: alwaysRun({
      id: 2,
      name: 'tell',
      body: [
        ...egress,
        primitive('add_header', { type: 'header', value: 'trace' }),
        ...SOURCES.map(([target, source]) => assign(`trace.${target}`, field(source))),
      ],
    }),
    extra: {
      field_lists: [{ id: 1, name: 'kept', elements: [field('m.kept')] }],
      learn_lists: [{ id: 1, name: 'seen', elements: [field('request.port'), hex(0x2a)] }],
    },
  };
}

/** Runs the statements behind it, of which there are `count`, when the field has the value. */
export const when = (
  name: string,
  value: number,
  { at, count }: { readonly at: number; readonly count: number },
): Primitive => {
  const same = op('b2d', null, op('==', field(name), hex(value)));
  return primitive('_jump_if_zero', same, hex(at + 1 + count));
};

/** Reads the trace in a packet that has left the switch. */
export function readTrace(bytes: Uint8Array): Record<string, number> {
  let offset = 0;
  return Object.fromEntries(
    TRACE.map(([name, width]) => {
      const part = bytes.subarray(offset, (offset += Number(width) / 8));
      return [name, part.reduce((value, byte) => value * 256 + byte, 0)];
    }),
  );
}
