import fc from 'fast-check';
import { generatedExecutors } from '../../switch/codegen/generated-executor';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../switch/stf/run/outline';
import type { StfReply } from '../../switch/stf/run/requests';
import { runStf } from '../../switch/stf/run/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import type { Statement, StfTest } from '../../switch/stf/text/statements';
import { profileJson } from './support/profile-tests';
import { ROUTES } from './support/profile-set-ups';
import { frameOf, INT_DSCP, packetPlan } from './support/telemetry-packet';
import type { PacketPlan } from './support/telemetry-packet';

/** Hops as packet tests without a queue and a clock have them. */
const RECORD =
  'add port_record standard_metadata.egress_port:2 set_port_record(node_id:7, capacity_mbps:100000, ' +
  'queue_unit_bytes:0, clock_unit_ns:0, mtu:500, tx_unit_bytes:1)';
const ENDLESS = 0xffff_fffe;

/** Every DSCP leaves whole, was cut, or may be cut, of a queue that is always full or never. */
const ENTRIES = Array.from({ length: 64 }, (_, dscp) => {
  if (dscp % 4 === 3) return [];
  if (dscp % 8 === 2) return [`add trim_of_dscp dscp:${dscp} serve_first(queue:7)`];
  const queue = dscp % 8 === 6 ? ENDLESS : 0;
  return [
    `add trim_of_dscp dscp:${dscp} trim_above(queue_bytes:${queue}, kept_bytes:${4 * (dscp % 16)}, ` +
      'trimmed_dscp:15, queue:7)',
  ];
}).flat();

/** A difference of what counts in 32 bits, and says so by a word of ones. */
const widened = (digits: string): string =>
  digits.replace(/f{8}([0-9a-f]{8}000186a0)/g, '00000000$1');

/** Packets that leave the switch, in the order of their leaving, and how many of them it has cut. */
function sentBy(program: string, counter: string, packets: readonly Statement[]) {
  const json = profileJson(program);
  const lines = [...ROUTES.filter((line) => !line.includes('port:2 set_port_record')), RECORD];
  const before = parseStf([...lines, ...ENTRIES].join('\n'), program);
  const after = parseStf(`counter_read ${counter} 2`, program);
  const statements = [...before.statements, ...packets, ...after.statements];
  const test: StfTest = { ...before, statements };
  const target = new EmbeddedTarget(json, generatedExecutors());
  const sent: string[] = [];
  const perform = (request: Parameters<typeof target.perform>[0]): StfReply => {
    const reply = target.perform(request);
    if (reply.kind === 'packets') {
      for (const { port, bytes } of reply.packets)
        sent.push(`${port} ${widened(Buffer.from(bytes).toString('hex'))}`);
    }
    return reply;
  };
  const { notes } = runStf(test, readOutline(json), { perform });
  return { sent, cut: notes.map((note) => /(\d+) packets?/.exec(note)?.[1]) };
}

const arrival = (plan: PacketPlan): Statement => ({
  line: 0,
  command: { kind: 'packet', port: 1, bytes: frameOf(plan) },
});

describe('what Tofino would cut', () => {
  // Some have little behind their headers, so that cutting them would not make them shorter.
  const packets = fc
    .sample(packetPlan, { seed: 1, numRuns: 300 })
    .map((plan, i) => arrival({ ...plan, payload: new Uint8Array((i % 16) * 16).fill(i) }));
  const onModel = sentBy('hpcc-trim-model', 'egress.trim.trims', packets);

  test('is cut by the profile, to the same bytes', () => {
    const onProfile = sentBy('hpcc-trim', 'ingress.trim.trims', packets);
    expect(onModel.sent).toEqual(onProfile.sent);
    expect(onModel.cut).toEqual(onProfile.cut);
  });

  test('is a part of the packets, of both families, with telemetry and without', () => {
    const cut = onModel.sent.filter(isCut);
    const kinds = cut.map((line) => `${familyOf(line)} ${dscpOf(line) === INT_DSCP}`);
    for (const kind of ['4 true', '4 false', '6 true', '6 false'])
      expect(kinds.filter((each) => each === kind).length).toBeGreaterThan(4);
    expect(cut.length).toBeLessThan(onModel.sent.length / 2);
  });
});

const frameIn = (line: string): Buffer => Buffer.from(line.split(' ')[1] ?? '', 'hex');

const familyOf = (line: string): number => frameIn(line).readUInt8(14) >> 4;

const dscpOf = (line: string): number =>
  familyOf(line) === 4
    ? frameIn(line).readUInt8(15) >> 2
    : (frameIn(line).readUInt16BE(14) >> 6) & 63;

/** No packet of UDP comes in without a checksum. */
function isCut(line: string): boolean {
  const frame = frameIn(line);
  const [protocol, udp] = familyOf(line) === 4 ? [23, 34] : [20, 54];
  const hasOptions = familyOf(line) === 4 && frame[14] !== 0x45;
  return !hasOptions && frame[protocol] === 17 && frame.readUInt16BE(udp + 6) === 0;
}
