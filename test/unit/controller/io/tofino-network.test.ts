import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { LEAF_SPINE_SWITCHES, leafSpine } from '../../../../bench/networks/leaf-spine';
import type { NetworkText } from '../../../../controller/document/schema';
import { encodeTofinoConfig } from '../../../../controller/io/tofino-program';
import { applyNetwork } from '../../../../controller/io/apply-network';
import { prepareDocument } from '../../../../controller/io/network-file';
import { planNetwork } from '../../../../controller/io/plan-network';
import type { PreparedSwitch } from '../../../../controller/io/prepare';
import { QueueRecords } from '../../../../controller/io/queue-records';
import {
  BFRT,
  BINARY,
  compilerOutput,
  CONTEXT,
  PIPES,
  tnaArtifact,
} from '../../../support/controller/compiler-output';
import { TofinoTarget } from '../../../support/controller/tofino-target';

/** Members and a group that the document itself names. */
const OWN_GROUP = {
  members: [
    {
      profile: 'ipv6_members',
      member: 1,
      action: 'forward_ipv6',
      arguments: { port: 1, dst_mac: '02:00:00:00:00:01', src_mac: '02:00:00:00:00:02' },
    },
  ],
  groups: [{ profile: 'ipv6_members', group: 1, members: [{ member: 1 }] }],
};
const CONNECTION = { electionId: 1n, deadline: 60_000 };

describe('a leaf-spine network of 32 switches with Tofino', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tofino-network-'));
  const records = QueueRecords.inMemory();
  let target: TofinoTarget;
  let switches: readonly PreparedSwitch[];
  beforeAll(async () => {
    compilerOutput(folder);
    target = await TofinoTarget.start(LEAF_SPINE_SWITCHES);
    const addresses = Array.from({ length: LEAF_SPINE_SWITCHES }, () => target.address);
    const document = leafSpine(addresses);
    ({ switches } = await prepareDocument({
      ...document,
      program: {
        p4info: tnaArtifact('hpcc.tofino.p4info.txtpb'),
        conf: path.join(folder, 'hpcc.conf'),
      },
      switches: document.switches.map((each) => ({
        ...each,
        ...OWN_GROUP,
        target: 'stratum' as const,
      })),
    }));
  });
  afterAll(async () => {
    await target.stop();
    fs.rmSync(folder, { recursive: true });
  });

  test('is applied under the P4Info of TNA, and read back as it was planned', async () => {
    const connection = { ...CONNECTION, folder };
    const outcomes = await applyNetwork(switches, { ...connection, records, retries: 0 });
    expect(outcomes.map(({ programLoaded }) => programLoaded)).not.toContain(false);
    const planned = switches.map(({ management }) => management.desired.length);
    expect(outcomes.map(({ done }) => done.length)).toEqual(planned);
    // The 24 leaves and 8 spines need entries for 288 hosts.
    expect(planned.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(9000);
    const plans = await planNetwork(switches, connection, records);
    expect(plans.flatMap(({ stages }) => stages)).toEqual([]);
  });

  test('has the device configuration of Stratum on every switch, byte for byte', () => {
    const pipelines = [
      {
        name: 'pipe',
        context: Buffer.from(CONTEXT),
        binary: BINARY,
        pipes: PIPES,
      },
    ];
    const bfrt = Buffer.from(BFRT);
    const wanted = Buffer.from(encodeTofinoConfig({ name: 'hpcc', bfrt, pipelines }));
    const numbers = Array.from({ length: LEAF_SPINE_SWITCHES }, (_, i) => String(i + 1));
    expect([...target.configs.keys()].sort()).toEqual(numbers.sort());
    for (const config of target.configs.values())
      expect(wanted.equals(Buffer.from(config))).toBe(true);
  });

  test('counts in cells of 80 bytes and nanoseconds, where the chip does', () => {
    const pipeline = target.devices[0]?.pipeline;
    const records = [...(pipeline?.tables.get('egress.port.port_record')?.entries() ?? [])];
    const parameters = records.map(({ action }) =>
      action.kind === 'call' ? action.call.arguments.slice(2, 4).map(Number) : [],
    );
    expect(records).toHaveLength(20);
    expect(parameters).toEqual(records.map(() => [80, 1]));
  });
});

const ROLES = {
  feedback: { queueBytes: 50_000, interval: '50 us', port: 68 },
  collector: { host: 'h1', port: 32766 },
  watch: [{ switch: 's2', protocol: 'udp' as const, oneIn: 16 }],
};

/** A ring of three switches, whose hosts read no telemetry but for the collector. */
const ring = (address: string, program: { p4info: string; conf: string }): NetworkText => ({
  network: 'ring',
  program,
  telemetry: ROLES,
  switches: [1, 2, 3].map((i) => ({ name: `s${i}`, address, target: 'stratum' })),
  hosts: [1, 2, 3].map((i) => ({ name: `h${i}`, telemetry: i === 1 })),
  links: [1, 2, 3].flatMap((i) => [
    { between: [`h${i}`, `s${i}:1`], rate: '100 Gb/s' },
    { between: [`s${i}:2`, `s${(i % 3) + 1}:3`], rate: '400 Gb/s' },
  ]),
});

const EDGE_TABLES = ['port_mtu', 'sink_port', 'collector', 'watch_ipv4', 'watch_ipv6'];

describe.each([
  ['padding', 'tofino', []],
  ['hpcc-edge', 'tofino', EDGE_TABLES],
  ['hpcc-edge', 'tofino2', EDGE_TABLES],
  ['hpcc-feedback', 'tofino', ['feedback_threshold']],
  ['hpcc-feedback', 'tofino2', ['feedback_threshold']],
])('a ring of switches with %s for %s', (name, chip, tables) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tofino-ring-'));
  let target: TofinoTarget;
  beforeAll(async () => {
    compilerOutput(folder);
    target = await TofinoTarget.start(3);
  });
  afterAll(async () => {
    await target.stop();
    fs.rmSync(folder, { recursive: true });
  });

  test('has what the document says, where the program has a table for it', async () => {
    const program = {
      p4info: tnaArtifact(`${name}.${chip}.p4info.txtpb`),
      conf: path.join(folder, 'hpcc.conf'),
    };
    const { switches } = await prepareDocument(ring(target.address, program));
    const records = QueueRecords.inMemory();
    const connection = { ...CONNECTION, folder };
    await applyNetwork(switches, { ...connection, records, retries: 0 });
    const plans = await planNetwork(switches, connection, records);
    expect(plans.flatMap(({ stages }) => stages)).toEqual([]);
    const filled = [...(target.devices[1]?.pipeline?.tables ?? [])]
      .filter(([, table]) => [...table.entries()].length > 0)
      .map(([table]) => table.split('.').at(-1));
    expect(filled.sort()).toEqual(['ipv4_route', 'port_record', ...tables].sort());
  });
});
