import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { Random } from '../../common/random/random';
import { generatedExecutors } from '../../switch/codegen/generated-executor';
import { ProgramAssertionError } from '../../switch/executor/executor';
import type { Executor, PacketState } from '../../switch/executor/executor';
import { createInterpreter } from '../../switch/interpreter/interpreter';
import { readProgram } from '../../switch/ir/lowering/read-program';
import type { Program } from '../../switch/ir/nodes';
import { ProgramState } from '../../switch/state/program-state';
import { MODEL_FOLDER } from '../p4/support/tofino-models';
import { fillTables } from '../support/differential/random-entries';
import { randomPacket } from '../support/differential/random-packets';
import { casesOf, SEED } from '../support/effort';
import { toHex } from '../support/hex';
import { ROOT, fixture } from '../support/paths';
import { INT_TRANSIT } from '../unit/switch/support/int-transit';
import { programText } from '../unit/switch/support/program';

const DROP_PORT = 511;
const PACKETS_PER_STATE = 250;

/** One executor with its own state. */
interface Side {
  readonly state: ProgramState;
  readonly executor: Executor;
  readonly packet: PacketState;
}

/**
 * Runs random packets against random entries through the interpreter and through generated code.
 * @returns how many packets were compared.
 * @throws naming seed and packet where the two differ in anything that can be observed.
 */
function compareExecutors(program: Program, packets: number, seed: number): number {
  const random = new Random(seed);
  let compared = 0;
  for (let done = 0; done < packets; done += PACKETS_PER_STATE) {
    const count = Math.min(PACKETS_PER_STATE, packets - done);
    compareWithEntries(program, count, { random, seed });
    compared += count;
  }
  return compared;
}

function compareWithEntries(
  program: Program,
  packets: number,
  { random, seed }: { readonly random: Random; readonly seed: number },
): void {
  const states = [new ProgramState(program), new ProgramState(program)] as const;
  fillTables(program, states, random);
  // Both draw the same numbers when the program asks for some.
  const drawn = random.uint32();
  const optionsOf = (state: ProgramState) => ({
    program,
    state,
    dropPort: DROP_PORT,
    random: new Random(drawn),
  });
  const generated = generatedExecutors()(optionsOf(states[1]));
  const left = sideOf(states[0], createInterpreter(optionsOf(states[0])));
  const right = sideOf(states[1], generated);
  for (let i = 0; i < packets; i++) {
    const bytes = randomPacket(program, random);
    const inputs = { bytes, length: bytes.length + random.below(3) * 100, now: i * 1_000_000 };
    const [a, b] = [left, right].map((side) => outcome(program, side, inputs));
    if (a !== b) {
      const what = `${program.name}, seed ${seed}, packet ${toHex(bytes)} (${inputs.length} bytes)`;
      throw new Error(`${what}:\ninterpreter ${String(a)}\ngenerated   ${String(b)}`);
    }
  }
}

function sideOf(state: ProgramState, executor: Executor): Side {
  return { state, executor, packet: executor.createState() };
}

/** Result of the packet, or the assertion of the program that it breaks. */
function outcome(program: Program, side: Side, inputs: Inputs): string {
  try {
    return run(program, side, inputs);
  } catch (error) {
    if (error instanceof ProgramAssertionError) return error.message;
    throw error;
  }
}

interface Inputs {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly now: number;
}

/** Everything that can be observed of one packet, as text. */
function run(program: Program, { state, executor, packet }: Side, inputs: Inputs): string {
  executor.reset(packet, inputs);
  packet.now = inputs.now;
  setMetadata(program, packet, inputs.now);
  executor.parse(packet);
  const parsed = observe(program, packet);
  executor.ingress(packet);
  const ingress = observe(program, packet);
  executor.egress(packet);
  const egress = observe(program, packet);
  const bytes = toHex(executor.deparse(packet));
  return JSON.stringify({ parsed, ingress, egress, bytes, after: stateOf(program, state) });
}

/** Metadata as the architecture sets it, with some variety. */
function setMetadata(program: Program, packet: PacketState, now: number): void {
  const metadata = { ingress_port: now % 5, deq_qdepth: now % 77, egress_port: now % 3 };
  for (const [name, value] of Object.entries(metadata)) {
    const field = program.fields.get(`standard_metadata.${name}`);
    if (field !== undefined) packet.writeMetadata(field.slot, value);
  }
  const clock = program.fields.get('standard_metadata.egress_global_timestamp');
  if (clock !== undefined) packet.writeMetadata(clock.slot, (now * 977) % 2 ** 48);
}

function observe(program: Program, packet: PacketState): unknown[] {
  const fields = Array.from({ length: program.slots }, (_, slot) => packet.readField(slot));
  return [
    packet.parserError,
    packet.checksumError,
    packet.packetLength,
    { ...packet.requests },
    fields.map((value) => value.toString(16)),
  ];
}

/** The first cells of registers and counters. */
function stateOf(program: Program, state: ProgramState): unknown[] {
  const cells = Array.from({ length: 8 }, (_, i) => i);
  return [
    state.registerList.map((array) => cells.map((cell) => String(array.read(cell)))),
    state.counterList.map((array) => cells.map((cell) => array.read(cell))),
    program.tables.length,
  ];
}

const PACKETS = casesOf(5000);

const jsonFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !/p4info|manifest/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

const programs = [
  programText(INT_TRANSIT),
  ...jsonFiles(fixture('p4')),
  ...jsonFiles(p4ArtifactFolder()),
  ...jsonFiles(path.join(ROOT, 'test', 'p4', 'artifacts')),
  ...jsonFiles(path.join(MODEL_FOLDER, 'artifacts')),
].map((json) => readProgram(json));

describe('random packets and random entries', () => {
  const share = Math.ceil(PACKETS / programs.length);

  test.each(programs.map((program, i) => [program.name, SEED + i, program] as const))(
    '%s: interpreter and generated code agree (seed %i)',
    (_name, seed, program) => {
      expect(compareExecutors(program, share, seed)).toBe(share);
    },
    600_000,
  );
});
