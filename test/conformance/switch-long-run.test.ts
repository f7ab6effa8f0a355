import { readFileSync } from 'node:fs';
import * as path from 'node:path';

import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { Random } from '../../common/random/random';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { packetFor, requestsFor } from '../bmv2/differential-programs';
import { programJson } from '../p4/support/test-programs';
import { SwitchPair } from '../support/differential/switch-pair';
import { heapInUse } from '../support/heap-in-use';

/** More packets, as in `HPCC_LONG_RUN_PACKETS=1000000`, are for long runs, which print the heap. */
const PACKETS = Number(process.env.HPCC_LONG_RUN_PACKETS ?? 6000);
const SEED = Number(process.env.HPCC_DIFFERENTIAL_SEED ?? 1);
const IS_LONG = process.env.HPCC_LONG_RUN_PACKETS !== undefined;

/** Of the whole run, before memory is measured: caches fill and code is compiled. */
const WARM_UP = 0.2;
/** Packets that entries are aimed at. */
const SAMPLE = 100;
const MIB = 2 ** 20;
/** A leak of 40 bytes per packet would exceed it in a long run. */
const GROWTH_MAX = 8 * MIB;

const NAMES = [
  ...['act_push_pop', 'checksum_payload', 'clone_egress', 'hash_algorithms', 'parser_stack'],
  ...['parser_union', 'parser_varbit', 'registers', 'resubmit', 'tbl_mixed', 'tbl_selector_crc'],
];

const PROGRAMS: readonly (readonly [name: string, json: string])[] = [
  ['hpcc', readFileSync(path.join(p4ArtifactFolder(), 'hpcc.json'), 'utf8')],
  ...NAMES.map((name) => [name, programJson(name)] as const),
];

describe('a long run of random and mutated packets', () => {
  test.each(PROGRAMS.map(([name, json], i) => [name, SEED + i, json] as const))(
    '%s: both executors send the same and memory stays flat (seed %i)',
    (name, seed, json) => {
      const program = readProgram(json);
      const random = new Random(seed);
      const next = (): Uint8Array => packetFor(name, program, random);
      const count = Math.ceil(PACKETS / PROGRAMS.length);
      const packets = Array.from({ length: SAMPLE }, () => ({ port: 0, bytes: next() }));
      const pair = new SwitchPair(json, requestsFor(name, { program, packets, random }), random);
      const warmUp = Math.ceil(count * WARM_UP);
      pair.run(warmUp, next);
      const before = heapInUse();
      pair.run(count - warmUp, next);
      const after = heapInUse();
      if (IS_LONG) {
        const [from, to] = [before, after].map((bytes) => (bytes / MIB).toFixed(1));
        process.stderr.write(
          `${name}: ${count} packets, ${pair.sent} sent, heap ${from} -> ${to} MiB\n`,
        );
      }
      expect(after - before).toBeLessThan(GROWTH_MAX);
    },
    3_600_000,
  );
});
