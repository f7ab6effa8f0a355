import * as path from 'node:path';
import { parseTelemetryReport } from '../../common/wire/int/telemetry-report';
import { WireFault } from '../../common/wire/fault';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';
import { ProfileOnSwitch } from './support/profile-on-switch';
import { ROUTES } from './support/profile-set-ups';
import { frameOf } from './support/telemetry-packet';
import { faultOfFrame } from './support/verify-frame';
import type { PacketPlan } from './support/telemetry-packet';

/**
 * Chains of one to three edge switches, each of which may be an INT source, an INT sink, both or only
 * transit: a host behind a sink port gets its packet as it was sent, every sink that met telemetry reports
 * it once, and checksums are right wherever a packet leaves.
 */
const IN = 1;
const OUT = 2;
const COLLECTOR = 3;
const SOURCE = [17, 6].flatMap((protocol) => [
  `add watch_ipv4 1 protocol:${protocol} add_telemetry(max_hops:8)`,
  `add watch_ipv6 1 protocol:${protocol} add_telemetry(max_hops:8)`,
]);
const SINK = [
  'add sink_port standard_metadata.egress_port:2 extract_and_report(clone_session:5)',
  'mirroring_add 5 3',
  'add collector standard_metadata.egress_port:3 set_collector(dst_mac:1, src_mac:2, ' +
    'src_addr:0x0a0000fe, dst_addr:0x0a0000fd, src_port:50004, dst_port:50003, node_id:2, ' +
    'hw_id:1, inner_bytes:600)',
];

interface Roles {
  readonly isSource: boolean;
  readonly isSink: boolean;
}

const ROLES: readonly Roles[] = [false, true].flatMap((isSource) =>
  [false, true].map((isSink) => ({ isSource, isSink })),
);

const nameOf = ({ isSource, isSink }: Roles): string =>
  [...(isSource ? ['source'] : []), ...(isSink ? ['sink'] : [])].join('+') || 'transit';

const chainsOf = (length: number): readonly (readonly Roles[])[] =>
  length === 0
    ? [[]]
    : chainsOf(length - 1).flatMap((rest) => ROLES.map((role) => [...rest, role]));

const PLANS = ([4, 6] as const).flatMap((family) =>
  (['udp', 'tcp'] as const).map((transport): PacketPlan => ({
    family,
    transport,
    optionWords: 1,
    dscp: 10,
    telemetry: undefined,
    payload: Uint8Array.from({ length: 41 }, (_, i) => i),
  })),
);

type Devices = ReadonlyMap<string, ProfileOnSwitch>;

/** One device for each set of roles: a program keeps nothing of a packet that a later one could see. */
const devicesOf = (program: string): Devices =>
  new Map(
    ROLES.map((roles) => {
      const { isSource, isSink } = roles;
      const statements = [...ROUTES, ...(isSource ? SOURCE : []), ...(isSink ? SINK : [])];
      return [nameOf(roles), new ProfileOnSwitch(program, statements.join('\n'))];
    }),
  );
/** The profile, and the model of the program for Tofino. */
const PROGRAMS = ['hpcc-edge', 'hpcc-edge-model'] as const;
const DEVICES = new Map(PROGRAMS.map((program) => [program, devicesOf(program)]));

/** Hops of telemetry of a frame; undefined without telemetry. */
function hopsOf(frame: Uint8Array, plan: PacketPlan): number | undefined {
  const isInt = (((frame[14] ?? 0) << 4) | ((frame[15] ?? 0) >> 4)) >> 2;
  const dscp = plan.family === 4 ? (frame[15] ?? 0) >> 2 : isInt & 0x3f;
  if (dscp !== 0x17) return undefined;
  const transport = 14 + (plan.family === 4 ? 20 : 40);
  const shim = transport + (plan.transport === 'udp' ? 8 : 24);
  return ((frame[shim + 1] ?? 0) - 3) / 8;
}

/** Hops in the report of each switch, and at the end, of a packet that came without telemetry. */
function expected(chain: readonly Roles[]): unknown {
  let hops: number | undefined;
  const reports = chain.map(({ isSource, isSink }) => {
    hops ??= isSource ? 0 : undefined;
    const reported = isSink ? hops : undefined;
    if (hops !== undefined) hops = isSink ? undefined : hops + 1;
    return reported;
  });
  return { reports, hops };
}

const REPORT_AT = 14 + 20 + 8;
const REPORT_BYTES = REPORT_AT + 12 + 36;

/** F, Q, D and I of a report as we decode it. */
function flagsOf(frame: Uint8Array): string {
  const parsed = parseTelemetryReport(frame, REPORT_AT);
  if (parsed instanceof WireFault) throw new Error(parsed.toString());
  const [report, ...more] = parsed.reports;
  if (report === undefined || more.length > 0) throw new Error('one report was expected');
  const { trackedFlow, congestedQueue, dropped, intermediate } = report;
  return [trackedFlow, congestedQueue, dropped, intermediate].map(Number).join('');
}

/** Puts a report's inner packet behind the Ethernet header of the plan. */
const innerFrame = (report: Uint8Array, plan: PacketPlan): Uint8Array =>
  Uint8Array.from([...frameOf(plan).subarray(0, 14), ...report.subarray(REPORT_BYTES)]);

/** Checks each frame on the way; returns what the chain did, and the last frame. */
function through(devices: Devices, chain: readonly Roles[], plan: PacketPlan) {
  let frame = frameOf(plan);
  const reports = chain.map((roles) => {
    const out = devices.get(nameOf(roles))?.through([{ port: IN, bytes: frame }]) ?? [];
    expect(out.map(({ bytes }) => faultOfFrame(bytes))).toEqual(out.map(() => undefined));
    const [next, ...others] = out.filter(({ port }) => port === OUT);
    if (next === undefined || others.length > 0) throw new Error(`${out.length} frames left`);
    frame = next.bytes;
    const [report, ...more] = out.filter(({ port }) => port === COLLECTOR);
    expect(more).toEqual([]);
    if (report !== undefined) expect(flagsOf(report.bytes)).toBe('1000');
    return report === undefined ? undefined : innerFrame(report.bytes, plan);
  });
  for (const inner of reports) expect(inner && faultOfFrame(inner)).toBeUndefined();
  const outcome = {
    // Where the source is, a report may have the packet without the header that was never sent.
    reports: reports.map((inner) => inner && (hopsOf(inner, plan) ?? 0)),
    hops: hopsOf(frame, plan),
  };
  return { outcome, frame };
}

/** The frame without what every router changes: addresses of Ethernet, hop limit, IPv4 checksum. */
function unrouted(frame: Uint8Array, { family }: PacketPlan): Uint8Array {
  const copy = Uint8Array.from(frame);
  copy.fill(0, 0, 12);
  if (family === 4) copy.fill(0, 22, 23).fill(0, 24, 26);
  else copy.fill(0, 21, 22);
  return copy;
}

const RUNS = PROGRAMS.flatMap((program) => [1, 2, 3].map((length) => [program, length] as const));
describe.each(RUNS)('%s: every placement on %i switches in a row', (program, length) => {
  const devices = DEVICES.get(program) ?? new Map<string, never>();
  test.each(chainsOf(length).map((chain) => [chain.map(nameOf).join(', '), chain] as const))(
    '%s',
    (_, chain) => {
      for (const plan of PLANS) {
        const { outcome, frame } = through(devices, chain, plan);
        expect(outcome).toEqual(expected(chain));
        if (outcome.hops !== undefined) continue;
        expect(unrouted(frame, plan)).toEqual(unrouted(frameOf(plan), plan));
      }
    },
  );
});

describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
  test('shows with our dissector that the packet of a report matched a watchlist', () => {
    const both = PROGRAMS.map((program) => DEVICES.get(program)?.get('source+sink'));
    const reports = both
      .flatMap((device) =>
        PLANS.flatMap((plan) => device?.through([{ port: IN, bytes: frameOf(plan) }]) ?? []),
      )
      .filter(({ port }) => port === COLLECTOR);
    const fields = ['tracked', 'congested', 'dropped', 'node_id'].map(
      (name) => `hpcc.report.${name}`,
    );
    const lua = ['-X', `lua_script:${path.join(ROOT, 'docs', 'wireshark', 'hpcc.lua')}`];
    const rows = rowsOfFrames(
      reports.map(({ bytes }) => bytes),
      [...fields, 'hpcc.malformed'],
      lua,
    );
    expect(rows).toEqual([...PLANS, ...PLANS].map(() => ['1', '0', '0', '2', '']));
  });
});
