import { parseStf } from '../../../switch/stf/text/parse-stf';
import type { ChipSetUp } from '../../../switch/io/tofino-model/stf-target';
import type { Command, NamedMatch, Statement, StfTest } from '../../../switch/stf/text/statements';

/** Packet tests that the model's harness cannot carry out, and why. The only list of them. */
export const NOT_ON_MODEL: ReadonlyMap<string, string> = new Map([
  ['hpcc.probe', 'says which next hop is chosen, and the selector of the chip scrambles the hash'],
  ['hpcc-edge.sink_limits', 'removes an entry in its middle, and the harness removes none'],
  ['hpcc-feedback.burst', 'slows a queue down, and the model has none'],
  [
    'hpcc-feedback.limit',
    'lets a millisecond pass, and the clock of the model goes on with packets',
  ],
  ['hpcc-feedback.queue', 'slows a queue down, and the model has none'],
]);

/** Programs that do otherwise than their twins, and why: docs/tofino.md. */
export const WRONG_ON_MODEL: ReadonlyMap<string, string> = new Map([
  ['hpcc-edge', 'the program drops every IPv4 packet, and its checksums are not mended'],
]);

/** Bytes of the collector's limit in packet tests, and what a copy has more (docs/tofino.md). */
const REPORTED_BYTES = 108;
const COPY_BYTES = 48;
/** Length that the controller cuts copies for answers to, less the frame check sequence. */
const ANSWER_BYTES = 90;
/** The port that mirror sessions of packet tests with answers lead to. */
const ANSWER_PORT = 9;

const SET_UPS: ReadonlyMap<string, ChipSetUp> = new Map([
  ['hpcc-edge', { mirroredBytes: REPORTED_BYTES + COPY_BYTES }],
  ['hpcc-feedback', { mirroredBytes: ANSWER_BYTES, recirculating: [ANSWER_PORT] }],
]);

/** Settings of the controller beside the tables. */
export const chipSetUp = (profile: string): ChipSetUp => SET_UPS.get(profile) ?? {};

/** The test as the controller would write it for the chip: docs/tofino.md says what is elsewhere. */
export function forChip(profile: string, test: StfTest): StfTest {
  if (profile !== 'hpcc-edge') return test;
  return { ...test, statements: test.statements.flatMap(onEdge) };
}

/** Counters of the edge that are in ingress on the chip. */
const IN_INGRESS = /^egress\.(?=source\.refused$|sink\.)/;

function onEdge(statement: Statement): readonly Statement[] {
  const { command } = statement;
  if (command.kind === 'counter-read') {
    const counter = command.counter.replace(IN_INGRESS, 'ingress.');
    return [{ ...statement, command: { ...command, counter } }];
  }
  return [statement, ...mtuOf(command)];
}

/** The MTU of a port record, for a source in ingress. */
function mtuOf(command: Command): readonly Statement[] {
  if (command.kind !== 'add' || !/(^|\.)port_record$/.test(command.table)) return [];
  const port = command.matches.map(exactText)[0];
  const mtu = command.action.arguments.find(({ name }) => name === 'mtu')?.value.value;
  if (port === undefined || mtu === undefined) return [];
  const text = `add port_mtu standard_metadata.egress_port:${port} set_mtu(mtu:${mtu})`;
  return parseStf(text, 'port_mtu').statements;
}

const exactText = ({ value }: NamedMatch): string | undefined =>
  value.kind === 'literal' ? String(value.value.value) : undefined;
