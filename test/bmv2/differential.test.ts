import { readFileSync } from 'node:fs';
import * as path from 'node:path';

import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { Random } from '../../common/random/random';
import { bmv2RunsStf } from '../../switch/io/bmv2/run-stf';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { EXECUTORS } from '../../switch/codegen/executors';
import { programJsonPath, testPrograms } from '../p4/support/test-programs';
import { parserOf } from '../support/differential/aimed-entries';
import { compareWithBmv2 } from '../support/differential/bmv2-lockstep';
import { throughEmbedded } from '../support/differential/through-embedded';
import { NO_INDEX_CHECKS, bmv2ChecksIndices } from '../support/bmv2-index-checks';
import { describeIf } from '../support/requires';
import { comparable, portAndBytes } from './comparable';
import { SKIPPED, UNPARSED_LEFT_OUT, packetFor, requestsFor } from './differential-programs';
import type { Program } from '../../switch/ir/nodes';
import type { PortPacket, StfRequest } from '../../switch/stf/run/requests';
import { casesOf, SEED } from '../support/effort';

/** Packets per program. */
const PACKETS = casesOf(40);

/** Then bmv2 starts anew, with other entries. */
const PACKETS_PER_START = 500;

/** Most draws of packets and entries. */
const DRAWS = 20;

/** Entries for ports are few, so packets come from few. */
const PORTS_IN = 4;

const HPCC = path.join(p4ArtifactFolder(), 'hpcc.json');

const paths = [
  HPCC,
  ...testPrograms()
    .filter((name) => !SKIPPED.has(name))
    .map(programJsonPath),
];

/** Programs whose random packets go outside an array of registers or counters. */
const NEED_INDEX_CHECKS: ReadonlySet<string> = new Set(['counters', 'registers']);

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'random packets and random entries on bmv2', lack, () => {
  const rows = paths.map(
    (json, i) => [path.basename(json, '.json'), SEED + 1000 * i, json] as const,
  );
  const needChecks = rows.filter(([name]) => NEED_INDEX_CHECKS.has(name));
  const others = rows.filter(([name]) => !NEED_INDEX_CHECKS.has(name));
  const agrees = '%s: the embedded switch sends what bmv2 sends (seed %i)';
  const compare = compareIn(compareWithBmv2);

  test.concurrent.each(others)(agrees, compare, 600_000);

  describeIf(bmv2ChecksIndices(), 'with indices outside of arrays', NO_INDEX_CHECKS, () => {
    test.concurrent.each(needChecks)(agrees, compare, 600_000);
  });
});

test.each([...NEED_INDEX_CHECKS])(
  '%s: the executors of the embedded switch agree',
  async (name) => {
    await compareIn(() => Promise.resolve())(name, SEED, programJsonPath(name));
  },
);

/** Compares in batches; what goes wrong is told with its seed. */
function compareIn(ask: typeof compareWithBmv2) {
  return async (name: string, seed: number, json: string): Promise<void> => {
    for (let done = 0; done < PACKETS; done += PACKETS_PER_START) {
      const batch = done / PACKETS_PER_START;
      const count = Math.min(PACKETS_PER_START, PACKETS - done);
      await compareBatch(json, { count, seed: seed + batch, ask }).catch((error: unknown) => {
        throw new Error(`${name}, seed ${seed + batch}, ${String(error)}`);
      });
    }
  };
}

interface Batch {
  readonly count: number;
  readonly seed: number;
  /** Compares the executors' common answer with bmv2. */
  readonly ask: typeof compareWithBmv2;
}

async function compareBatch(jsonPath: string, { count, seed, ask }: Batch): Promise<void> {
  const json = readFileSync(jsonPath, 'utf8');
  const program = readProgram(json);
  const random = new Random(seed);
  const name = path.basename(jsonPath, '.json');
  const draw = (): Answers => {
    const packets = drawPackets(name, count, { program, random });
    const requests = requestsFor(name, { program, packets, random });
    const answers = [...EXECUTORS.values()].map((executor) =>
      throughEmbedded(json, { executor, requests, packets }),
    );
    return { packets, requests, answers };
  };
  let { packets, requests, answers } = draw();
  // Silence agrees with silence: all is drawn anew until some packet meets an entry or a group.
  for (let i = 1; i < DRAWS && answers[0]?.flat().length === 0; i++) {
    ({ packets, requests, answers } = draw());
  }
  const [first, ...others] = answers;
  expect(first?.flat()).not.toHaveLength(0);
  // The executors among themselves, first: then bmv2 needs to be asked only once.
  for (const outs of others) expect(outs).toEqual(first);
  await ask({
    json: jsonPath,
    requests,
    expected: packets.map((packet, i) => ({ packet, outs: first?.[i] ?? [] })),
    comparable: jsonPath === HPCC ? comparable : portAndBytes,
  });
}

function drawPackets(
  name: string,
  count: number,
  { program, random }: { readonly program: Program; readonly random: Random },
): PortPacket[] {
  const parse = UNPARSED_LEFT_OUT.has(name) ? parserOf(program) : undefined;
  const packets: PortPacket[] = [];
  while (packets.length < count) {
    const bytes = packetFor(name, program, random);
    if (parse !== undefined && parse(bytes).parserError !== 0) continue;
    packets.push({ port: random.below(PORTS_IN), bytes });
  }
  return packets;
}

/** Packets, entries, and what each executor sends for each packet. */
interface Answers {
  readonly packets: readonly PortPacket[];
  readonly requests: readonly StfRequest[];
  readonly answers: readonly PortPacket[][][];
}
