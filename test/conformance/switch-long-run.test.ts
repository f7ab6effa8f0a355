import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { Random } from '../../common/random/random';
import { generatedExecutors } from '../../switch/codegen/generated-executor';
import type { ExecutorFactory } from '../../switch/executor/executor';
import { createInterpreter } from '../../switch/interpreter/interpreter';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { REPLICATION_REQUESTS, TABLE_REQUESTS } from '../../switch/stf/embedded/table-requests';
import { VirtualSwitch } from '../../switch/stf/embedded/virtual-switch';
import type { PortPacket, StfRequest } from '../../switch/stf/run/requests';
import { packetFor, requestsFor } from '../bmv2/differential-programs';
import { programJson } from '../p4/support/test-programs';
import { EFFORT, SEED } from '../support/effort';
import { heapInUse } from '../support/heap-in-use';
import { toHex } from '../support/hex';

const PORTS_IN = 4;

/** Whole switches with the same program and entries, one per executor, given the same packets. */
class SwitchPair {
  readonly #left: Side;
  readonly #right: Side;
  readonly #random: Random;

  /** @param requests the entries of both. */
  constructor(json: string, requests: readonly StfRequest[], random: Random) {
    this.#random = random;
    this.#left = new Side(json, createInterpreter, requests);
    this.#right = new Side(json, generatedExecutors(), requests);
  }

  /** Number of packets that have left. */
  get sent(): number {
    return this.#right.sent;
  }

  /** @throws Error naming the packet for which the switches send different packets. */
  run(count: number, next: () => Uint8Array): void {
    for (let i = 0; i < count; i++) {
      const bytes = next();
      const port = this.#random.below(PORTS_IN);
      const left = this.#left.through({ port, bytes: bytes.slice() });
      const right = this.#right.through({ port, bytes: bytes.slice() });
      if (left === right) continue;
      const packet = `packet ${toHex(bytes)} at port ${port}`;
      throw new Error(`${packet}:\ninterpreter ${left}\ngenerated   ${right}`);
    }
  }
}

class Side {
  readonly #switch: VirtualSwitch;
  sent = 0;

  constructor(json: string, executor: ExecutorFactory, requests: readonly StfRequest[]) {
    this.#switch = new VirtualSwitch(json, executor);
    for (const request of requests) apply(this.#switch, request);
  }

  /** All that leaves for the packet, as text. */
  through(packet: PortPacket): string {
    const { sent, log, digests } = this.#switch;
    this.#switch.send(packet);
    this.#switch.settle();
    const text = sent.map(({ port, bytes }) => `port ${port}: ${toHex(bytes)}`).join(', ');
    this.sent += sent.length;
    for (const list of [sent, log, digests]) list.length = 0;
    return text;
  }
}

function apply(target: VirtualSwitch, request: StfRequest): void {
  if (request.kind === 'add-entry') TABLE_REQUESTS['add-entry'](target, request);
  else if (request.kind === 'create-member') TABLE_REQUESTS['create-member'](target, request);
  else if (request.kind === 'group-create') TABLE_REQUESTS['group-create'](target, request);
  else if (request.kind === 'mirror') REPLICATION_REQUESTS.mirror(target, request);
  else throw new Error(`no entries are made by ${request.kind}`);
}

/** Long runs print the heap. */
const PACKETS = 3000 * EFFORT;
const IS_LONG = EFFORT > 1;

/** PERF: to measure a heap takes longer than a short run, which shows a leak of any program alike. */
const isMeasured = (name: string): boolean => IS_LONG || name === 'hpcc';

/** Share of the whole run before memory is measured: caches fill and code is compiled. */
const WARM_UP = 0.2;
/** Packets that entries are aimed at. */
const SAMPLE = 100;
const MIB = 2 ** 20;
/** A leak of 40 bytes per packet would exceed it in a long run. */
const GROWTH_MAX = 8 * MIB;

const NAMES = [
  'act_push_pop',
  'checksum_payload',
  'clone_egress',
  'hash_algorithms',
  'parser_stack',
  'parser_union',
  'parser_varbit',
  'registers',
  'resubmit',
  'tbl_mixed',
  'tbl_selector_crc',
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
      if (!isMeasured(name)) {
        pair.run(count - warmUp, next);
        return;
      }
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
