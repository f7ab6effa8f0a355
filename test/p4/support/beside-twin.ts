import { generatedExecutors } from '../../../switch/codegen/generated-executor';
import { runStfOnTofinoModel } from '../../../switch/io/tofino-model/run-stf';
import { EmbeddedTarget } from '../../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../../switch/stf/run/outline';
import { runStf } from '../../../switch/stf/run/run-stf';
import { chipSetUp, forChip } from './chip-set-up';
import { comparableReports } from './comparable-report';
import { profileJson } from './profile-tests';
import { differenceByDesign } from './tofino-design';
import type { EdgeRoles } from './tofino-design';
import { withoutClock } from './without-clock';
import { withoutQueue } from './without-queue';
import type { PortPacket, StfReply } from '../../../switch/stf/run/requests';
import type { Command, Statement, StfTest } from '../../../switch/stf/text/statements';

/** Behaviour of a program in a test: packets by port, and figures in the order of their reading. */
export interface Observed {
  readonly packets: readonly string[];
  readonly figures: readonly string[];
}

/** The test without what it expects: all that it reads stays. */
export function observing(test: StfTest): StfTest {
  return { ...test, statements: test.statements.flatMap(observed) };
}

function observed(statement: Statement): readonly Statement[] {
  const command = reading(statement.command);
  return command === undefined ? [] : [{ ...statement, command }];
}

function reading(command: Command): Command | undefined {
  if (command.kind === 'expect' || command.kind === 'no-packet') return undefined;
  if (command.kind === 'check-counter') {
    const { counter, cell } = command;
    return typeof cell === 'number' ? { kind: 'counter-read', counter, index: cell } : undefined;
  }
  if (command.kind === 'check-register') {
    const { register, index } = command;
    return { kind: 'register-read', register, index };
  }
  return command;
}

/** The test without packets that the chip treats otherwise by design, and how many those are. */
export function withoutDesign(profile: string, test: StfTest): { test: StfTest; left: string[] } {
  const left: string[] = [];
  const roles = edgeRoles(test);
  const statements = test.statements.filter(({ command }) => {
    if (command.kind !== 'packet') return true;
    const why = differenceByDesign(profile, command.bytes, roles);
    if (why !== undefined) left.push(why);
    return why === undefined;
  });
  return { test: { ...test, statements }, left };
}

function edgeRoles({ statements }: StfTest): EdgeRoles {
  const fills = (table: RegExp): boolean =>
    statements.some(({ command }) => command.kind === 'add' && table.test(command.table));
  const distrusts = fills(/(^|\.)port_trust$/);
  return {
    adds: fills(/(^|\.)watch_/),
    takesOut: distrusts || fills(/(^|\.)sink_port$/),
    distrusts,
  };
}

/** Carries a test out on the Tofino model. @param folder of the program. */
export async function onTofinoModel(
  folder: string,
  profile: string,
  test: StfTest,
): Promise<Observed> {
  const seen: Observer = { packets: [] };
  const { notes } = await runStfOnTofinoModel(
    folder,
    forChip(profile, test),
    (reply) => keep(seen, masked(profile, reply)),
    chipSetUp(profile),
  );
  return { packets: seen.packets, figures: notes.map(figure) };
}

/** Carries a test out on the twin, which is the model in v1model on the embedded switch. */
export function onTwin(profile: string, test: StfTest): Observed {
  const json = profileJson(`${profile}-model`);
  const target = new EmbeddedTarget(json, generatedExecutors());
  const seen: Observer = { packets: [] };
  const { notes } = runStf(test, readOutline(json), {
    perform: (request) => keep(seen, masked(profile, target.perform(request))),
  });
  return { packets: seen.packets, figures: notes.map(figure) };
}

interface Observer {
  packets: readonly string[];
}

function keep(seen: Observer, reply: StfReply): StfReply {
  if (reply.kind === 'packets') seen.packets = reply.packets.map(packetText).sort(byPort);
  return reply;
}

const packetText = ({ port, bytes }: PortPacket): string =>
  `${port} ${Buffer.from(bytes).toString('hex')}`;

/** Stable: packets of one port stay in order. */
const byPort = (a: string, b: string): number => parseInt(a, 10) - parseInt(b, 10);

/** Packets of a counter, or a register's value. Bytes are not the same: a chip counts the FCS. */
const figure = (note: string): string =>
  note.replace(/, \d+ bytes$/, '').replace(/^.*\.(?=\w+\()/, '');

const masked = (profile: string, reply: StfReply): StfReply => {
  if (profile === 'padding') return withoutQueue(reply);
  return profile === 'hpcc-edge' ? comparableReports(withoutClock(reply)) : withoutClock(reply);
};
