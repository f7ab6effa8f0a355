import { parseStf } from '../../../switch/stf/text/parse-stf';
import { microseconds } from '../../../common/units/units';
import type { ChipSetUp } from '../../../switch/io/tofino-model/stf-target';
import type {
  Command,
  Literal,
  NamedMatch,
  Statement,
  StfTest,
} from '../../../switch/stf/text/statements';

/** Packet tests that the model's harness cannot carry out, and why. The only list of them. */
export const NOT_ON_MODEL: ReadonlyMap<string, string> = new Map([
  ['hpcc-feedback.burst', 'slows a queue down, and the model sends whatever is in one at once'],
  ['hpcc-feedback.queue', 'slows a queue down, and the model sends whatever is in one at once'],
]);

/** Bytes of the collector's limit in packet tests, and what a copy has more (docs/tofino.md). */
const REPORTED_BYTES = 108;
const COPY_BYTES = 44;
/** Length that the controller cuts copies for answers to. */
const ANSWER_BYTES = 92;
/** The port that mirror sessions of packet tests with answers lead to. */
const ANSWER_PORT = 9;

const SET_UPS: ReadonlyMap<string, ChipSetUp> = new Map<string, ChipSetUp>([
  // The chip scrambles hashes; which member a hash leads to is only then what the twin says.
  ['hpcc', { plainHashes: true }],
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

/**
 * The test with times that the model's clock can reach, which goes on by 8 ns a packet: intervals are
 * still longer than all packets of a test take, and waiting is longer than that. A chip takes a time
 * that never was for zero, so its clock has to be past the interval first.
 */
export function forModelClock(test: StfTest): StfTest {
  const isTimed = ({ command }: Statement): boolean =>
    command.kind === 'wait' && command.duration > 0;
  if (!test.statements.some(isTimed)) return test;
  const wait: Statement = { line: 0, command: { kind: 'wait', duration: PAST_INTERVAL } };
  const first = test.statements.findIndex(({ command }) => command.kind === 'packet');
  const shortened = test.statements.map((each) => (isTimed(each) ? wait : withShortInterval(each)));
  return { ...test, statements: shortened.toSpliced(first, 0, wait) };
}

/** Packets of the twin's switch come a microsecond apart. */
const INTERVAL_NS = 80_000n;
const PAST_INTERVAL = microseconds(90);

function withShortInterval(statement: Statement): Statement {
  const { command } = statement;
  if (command.kind !== 'add') return statement;
  const values = command.action.arguments.map(({ name, value }) => ({
    name,
    value: name === 'interval_ns' && value.value > INTERVAL_NS ? INTERVAL : value,
  }));
  return {
    ...statement,
    command: { ...command, action: { ...command.action, arguments: values } },
  };
}

const INTERVAL: Literal = {
  text: String(INTERVAL_NS),
  value: INTERVAL_NS,
  known: (1n << 17n) - 1n,
  bits: 17,
  radix: 10,
};
