import { assign, field, header, hex, op, primitive } from './json-values';
import { acceptState, alwaysRun, extract } from './program';
import type { Primitive } from './json-values';
import type { FieldSpec, ProgramSpec } from './program';

/**
 * A program that forwards by the first byte of a packet and lets egress write what it sees of the
 * queue in front of the packet:
 *
 *   in:   port 1 | payload          out: report 34 | port 1 | payload
 *
 * Port 0xff means "drop in ingress", 0xfe "multicast", 0xfd "drop in egress".
 */
export const REPORT: readonly FieldSpec[] = [
  ['ingress_port', 16],
  ['egress_port', 16],
  ['ingress_time', 48],
  ['enqueue_time', 32],
  ['enqueue_depth', 24],
  ['queue_time', 32],
  ['dequeue_depth', 24],
  ['egress_time', 48],
  ['length', 32],
];

/** Bytes of the report. */
export const REPORT_BYTES = 34;

const standard = (name: string): ReturnType<typeof field> => field(`standard_metadata.${name}`);
const same = (value: number): ReturnType<typeof op> => op('==', field('request.port'), hex(value));

const SOURCES: readonly (readonly [string, string])[] = [
  ['ingress_port', 'ingress_port'],
  ['egress_port', 'egress_port'],
  ['ingress_time', 'ingress_global_timestamp'],
  ['enqueue_time', 'enq_timestamp'],
  ['enqueue_depth', 'enq_qdepth'],
  ['queue_time', 'deq_timedelta'],
  ['dequeue_depth', 'deq_qdepth'],
  ['egress_time', 'egress_global_timestamp'],
  ['length', 'packet_length'],
];

const dropUnless = (value: number, then: number): Primitive =>
  primitive('_jump_if_zero', op('b2d', null, same(value)), hex(then));
const drop = primitive('mark_to_drop', header('standard_metadata'));

export const FORWARDING: ProgramSpec = {
  types: { request_t: [['port', 8]], report_t: REPORT },
  headers: [
    ['request', 'request_t'],
    ['report', 'report_t'],
  ],
  order: ['report', 'request'],
  states: [acceptState('start', [extract('request')])],
  ingress: alwaysRun({
    id: 1,
    name: 'forward',
    body: [
      assign('standard_metadata.egress_spec', field('request.port')),
      dropUnless(0xff, 3),
      drop,
      dropUnless(0xfe, 5),
      assign('standard_metadata.mcast_grp', hex(1)),
    ],
  }),
  egress: alwaysRun({
    id: 2,
    name: 'report',
    body: [
      dropUnless(0xfd, 2),
      drop,
      primitive('add_header', header('report')),
      ...SOURCES.map(([target, source]) => assign(`report.${target}`, standard(source))),
    ],
  }),
};

/** The report in a packet that has left the switch. */
export function readReport(bytes: Uint8Array): Record<string, number> {
  let offset = 0;
  return Object.fromEntries(
    REPORT.map(([name, width]) => {
      const size = Number(width) / 8;
      const part = bytes.subarray(offset, offset + size);
      offset += size;
      return [name, part.reduce((value, byte) => value * 256 + byte, 0)];
    }),
  );
}
