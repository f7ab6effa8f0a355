import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compileSource } from '../../common/io/p4-compiler';
import { Random } from '../../common/random/random';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { portAndBytes } from '../bmv2/comparable';
import { aimEntries, parserOf } from '../support/differential/aimed-entries';
import { compareWithBmv2 } from '../support/differential/bmv2-lockstep';
import { randomEntryRequests } from '../support/differential/entry-requests';
import { randomPacket } from '../support/differential/random-packets';
import { throughEmbedded } from '../support/differential/through-embedded';
import type { Program } from '../../switch/ir/nodes';
import type { PortPacket } from '../../switch/stf/run/requests';
import { p4Text, smaller } from './random-program';
import type { RandomProgram } from './random-program';

const PORTS_IN = 4;
const DRAWS_MAX = 10_000;

export interface Comparison {
  readonly seed: number;
  readonly packets: number;
  readonly withBmv2: boolean;
}

/** Compares the switches on a program; undefined when all send the same. */
export async function differenceOf(
  program: RandomProgram,
  { seed, packets: count, withBmv2 }: Comparison,
): Promise<string | undefined> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-random-'));
  try {
    fs.writeFileSync(path.join(folder, 'random.p4'), p4Text(program));
    const source = { folder, program: 'random.p4', flags: [], p4info: 'txtpb' } as const;
    const { json } = await compileSource(source);
    const nodes = readProgram(json);
    const random = new Random(seed);
    const packets = drawPackets(nodes, count, random);
    const present = randomEntryRequests(nodes, random);
    const requests = aimEntries(present, { program: nodes, packets, random, present: [] });
    const [first = [], ...others] = [...EXECUTORS.values()].map((executor) =>
      throughEmbedded(json, { executor, requests, packets }),
    );
    if (!others.every((outs) => isDeepStrictEqual(outs, first))) return 'the executors differ';
    if (!withBmv2) return undefined;
    const file = path.join(folder, 'random.json');
    fs.writeFileSync(file, json);
    const expected = packets.map((packet, i) => ({ packet, outs: first[i] ?? [] }));
    await compareWithBmv2({ json: file, requests, expected, comparable: portAndBytes });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** The smallest program found, statement by statement, with which something is wrong still. */
export async function shrunk(
  program: RandomProgram,
  comparison: Comparison,
): Promise<RandomProgram> {
  for (const candidate of smaller(program)) {
    if ((await differenceOf(candidate, comparison)) !== undefined) {
      return shrunk(candidate, comparison);
    }
  }
  return program;
}

/** Packets that parse: what a field of a header holds that is not there is open. */
function drawPackets(program: Program, count: number, random: Random): PortPacket[] {
  const parse = parserOf(program);
  const packets: PortPacket[] = [];
  for (let i = 0; packets.length < count && i < DRAWS_MAX; i++) {
    const bytes = randomPacket(program, random);
    if (bytes.length === 0 || parse(bytes).parserError !== 0) continue;
    packets.push({ port: random.below(PORTS_IN), bytes });
  }
  return packets;
}
