import * as fs from 'node:fs';
import * as path from 'node:path';
import { loadP4Artifacts, p4ArtifactFolder } from '../../common/io/p4-profiles';
import { Random } from '../../common/random/random';
import { bmv2RunsStf } from '../../switch/io/bmv2/run-stf';
import { internetChecksum } from '../../common/wire/ip/checksum';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { stepThrough } from '../../switch/stf/run/run-stf';
import { compareWithBmv2 } from '../support/differential/bmv2-lockstep';
import { randomByte } from '../support/differential/random-packets';
import { throughEmbedded } from '../support/differential/through-embedded';
import { fromHex } from '../support/hex';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { portAndBytes } from './comparable';
import type { ExecutorFactory } from '../../switch/executor/executor';
import type { PortPacket, StfRequest } from '../../switch/stf/run/requests';
import { EFFORT, SEED } from '../support/effort';

/** Packets per profile. */
const PACKETS = 150 * EFFORT;

const FOLDER = path.join(ROOT, 'test', 'p4', 'profiles');
const MUTATIONS_MAX = 3;

/** Profiles, and the packet test with the entries for all of each. */
const CARRIERS = [
  ['padding', 'push'],
  ['ioam', 'source'],
  ['ifa', 'insert'],
  ['csig', 'signals'],
] as const;

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'packets of telemetry carriers, changed at random, on bmv2', lack, () => {
  test.concurrent.each(CARRIERS)(
    '%s: the embedded switch sends what bmv2 sends',
    async (profile, entries) => {
      const { deviceConfig } = loadP4Artifacts(profile);
      const requests = requestsOf(deviceConfig, fs.readFileSync(stfFile(profile, entries), 'utf8'));
      const random = new Random(SEED);
      const whole = packetsOf(profile);
      const packets = Array.from({ length: PACKETS }, () => changed(whole, random));
      const answers = [...EXECUTORS.values()].map((executor) =>
        throughEmbedded(deviceConfig, { executor, requests, packets }),
      );
      const [first, ...others] = answers;
      for (const outs of others) expect(outs).toEqual(first);
      expect(first?.flat().length).toBeGreaterThan(PACKETS / 4);
      await compareWithBmv2({
        json: path.join(p4ArtifactFolder(), `${profile}.json`),
        requests,
        expected: packets.map((packet, i) => ({ packet, outs: first?.[i] ?? [] })),
        comparable: portAndBytes,
      });
    },
  );
});

const stfFile = (profile: string, what: string): string =>
  path.join(FOLDER, `${profile}.${what}.stf`);

/** The entries of a packet test, with clocks and queues that always read 0. */
function requestsOf(json: string, text: string): StfRequest[] {
  const setUp = text
    .split('\n')
    .filter((line) => /^(add|member_create|setdefault|register_write) /.test(line))
    .map((line) => line.replace(/(queue_unit_bytes|clock_unit_ns):\d+/g, '$1:0'))
    .join('\n');
  const target = new EmbeddedTarget(json, [...EXECUTORS.values()][0] ?? neverUsed);
  const run = stepThrough(parseStf(setUp, 'set-up'), readOutline(json));
  const requests: StfRequest[] = [];
  for (let step = run.next(); step.done !== true;) {
    const reply = target.perform(step.value);
    if (reply.kind === 'done') requests.push(step.value);
    step = run.next(reply);
  }
  return requests;
}

const neverUsed: ExecutorFactory = () => {
  throw new Error('there is no executor');
};

/** All packets that arrive in the packet tests of a profile. */
function packetsOf(profile: string): Uint8Array[] {
  const files = fs.readdirSync(FOLDER).filter((name) => name.startsWith(`${profile}.`));
  const lines = files.flatMap((name) =>
    fs.readFileSync(path.join(FOLDER, name), 'utf8').split('\n'),
  );
  return lines
    .filter((line) => line.startsWith('packet '))
    .map((line) => fromHex(line.replace(/^packet \d+ /, '')));
}

/** One of the packets with up to three other bytes, one in eight cut short. */
function changed(whole: readonly Uint8Array[], random: Random): PortPacket {
  const bytes = whole[random.below(whole.length)]?.slice() ?? new Uint8Array(0);
  // Behind the IP header are the bytes that matter here.
  const from = random.below(4) === 0 ? 0 : Math.min(34, bytes.length - 1);
  for (let i = random.below(MUTATIONS_MAX + 1); i > 0; i--) {
    bytes[from + random.below(bytes.length - from)] = randomByte(random);
  }
  mendIpv4(bytes, 14);
  mendIpv4(bytes, 18);
  const length = random.below(8) === 0 ? 1 + random.below(bytes.length) : bytes.length;
  return { port: 1, bytes: bytes.slice(0, length) };
}

/** Makes the checksum right of what may be an IPv4 header, lest the switch drop the packet. */
function mendIpv4(bytes: Uint8Array, at: number): void {
  const isIpv4 = bytes[at - 2] === 8 && bytes[at - 1] === 0 && bytes[at] === 0x45;
  if (!isIpv4 || bytes.length < at + 20) return;
  bytes.fill(0, at + 10, at + 12);
  const sum = internetChecksum(bytes.subarray(at, at + 20));
  bytes.set([sum >> 8, sum & 0xff], at + 10);
}
