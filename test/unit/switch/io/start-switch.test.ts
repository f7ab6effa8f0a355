import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadP4Artifacts, p4ArtifactFolder } from '../../../../common/io/p4-profiles';
import { readUint16, readUint48, writeUint16, writeUint48 } from '../../../../common/wire/bytes';
import { topologyDocument } from '../../../../controller/document/topology-document';
import { applyDocument } from '../../../../controller/io/apply-network';
import { dataPacket } from '../../../../bench/live/run-load';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { fromInt64, int64 } from '../../../../switch/server/thrift/int64';
import { toHex } from '../../../support/hex';
import { pushHop } from '../../../support/int-hop';
import { canMakeNamespaces, exchange, makeLeg } from '../../../support/live-network';
import { PROGRAM } from '../../../support/own-command';
import { removeLeg, startLive } from '../../../support/live-network';
import { describeIf } from '../../../support/requires';
import { connectThrift } from '../../../support/thrift-clients';
import type { Leg } from '../../../../bench/live/test-bed';
import type { LiveProcess } from '../../../support/live-network';

const GIGABITS_PER_SECOND = 10;
const TIMESTAMP_AT = 58 + 14;
const DEADLINE_MS = 20_000;
const NS_PER_TICK = 1000;

/** The register of hpcc.p4. */
const REGISTER = 'egress.snapshot.tx_bytes';

const commandLineAvailable = (): boolean =>
  spawnSync('simple_switch_CLI', ['--help'], { stdio: 'ignore' }).status === 0;

function run(...argv: readonly string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'switch', ...argv], { encoding: 'utf8' });
}

describe('hpcc switch', () => {
  test('refuses unknown flags by name', () => {
    const { status, stderr } = run('--no-such-flag');
    expect([status, stderr]).toEqual([
      1,
      'hpcc: unknown flag --no-such-flag (--help lists the flags)\n',
    ]);
  });

  test('says which program cannot be read', () => {
    const { status, stderr } = run('/nonexistent/program.json');
    expect(status).toBe(1);
    expect(stderr).toContain('program /nonexistent/program.json cannot be read');
  });

  test('prints the version of the BMv2 JSON that it takes', () => {
    expect(run('--json-version').stdout).toMatch(/^2\.\d+\n$/);
  });
});

describe('hpcc switch without interfaces', () => {
  let device: LiveProcess;

  beforeAll(async () => {
    const program = path.join(p4ArtifactFolder(), 'hpcc.json');
    device = await startLive([program, '--priority-queues', '2', '--cpu-port', '255']);
  });

  afterAll(() => device.stop());

  test('has queues for every port and priority that there is, but not for the drop port', async () => {
    const { simpleSwitch, close } = connectThrift(device.thriftPort);
    const rate = (port: number, priority: number): Promise<number> =>
      simpleSwitch.set_egress_priority_queue_rate(port, priority, int64(1000));
    const answers = await Promise.all([rate(0, 0), rate(510, 1), rate(1, 2), rate(511, 0)]);
    close();
    expect(answers.map((answer) => answer === 0)).toEqual([true, true, false, false]);
  });

  test('runs the program of the command line', async () => {
    const { standard, close } = connectThrift(device.thriftPort);
    const text = await standard.bm_get_config();
    close();
    expect(text).toBe(loadP4Artifacts('hpcc').deviceConfig);
  });

  test('refuses an interface that does not exist, and goes on', async () => {
    const { standard, close } = connectThrift(device.thriftPort);
    await expect(standard.bm_dev_mgr_add_port('nosuch0', 1, '')).rejects.toMatchObject({ code: 1 });
    expect(await standard.bm_dev_mgr_show_ports()).toEqual([]);
    close();
  });

  test('forgets registers when its state is reset', async () => {
    const { standard, close } = connectThrift(device.thriftPort);
    await standard.bm_register_write(0, REGISTER, 1, int64(5));
    await standard.bm_reset_state();
    expect(fromInt64(await standard.bm_register_read(0, REGISTER, 1))).toBe(0n);
    close();
  });

  test('ends on SIGTERM with its counters', async () => {
    const { code, lastLine } = await device.stop();
    expect([code, lastLine]).toEqual([0, '{"received":0,"sent":0,"dropped":{}}']);
  });
});

describeIf(
  canMakeNamespaces(),
  'hpcc switch on network interfaces',
  'needs root and the ip command to make network namespaces',
  () => {
    let legs: [Leg, Leg];
    let device: LiveProcess;

    /** Port 1 leads to host 1, port 2 to host 2. */
    async function start(...argv: readonly string[]): Promise<void> {
      const interfaces = legs.flatMap(({ outer }, i) => ['-i', `${i + 1}@${outer}`]);
      device = await startLive(['--no-p4', '--device-id', '1', ...interfaces, ...argv]);
      const units = { clockUnitNs: NS_PER_TICK, queueDepthUnitBytes: 1024, txUnitBytes: 1 };
      const { topology } = planNetwork(
        expandTopology({ kind: 'star', hosts: 2, rateGbps: GIGABITS_PER_SECOND, delayNs: 1000 }),
        units,
      );
      const document = topologyDocument(topology, () => device.grpcAddress);
      await applyDocument(document, DEADLINE_MS);
    }

    beforeEach(() => {
      legs = [makeLeg(), makeLeg()];
    });

    afterEach(async () => {
      await device.stop();
      legs.forEach(removeLeg);
    });

    test('forwards an INT packet with one more hop and everything else as it should be', async () => {
      await start();
      const sent = wholeFrame();
      const [received] = await exchange([sent], { from: legs[1], to: legs[0] });
      const timestamp = readUint48(received ?? new Uint8Array(0), TIMESTAMP_AT);
      expect(timestamp % NS_PER_TICK).toBe(0);
      expect(toHex(received ?? new Uint8Array(0))).toBe(toHex(forwarded(sent, timestamp)));
    });

    test('spaces packets by the time that a link of the given rate takes for each', async () => {
      await start('--link-rate-bps', '1=1e6');
      const frames = Array.from({ length: 5 }, wholeFrame);
      const received = await exchange(frames, { from: legs[1], to: legs[0] });
      const times = received.map((frame) => readUint48(frame, TIMESTAMP_AT));
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
      const perFrameNs = (received[0]?.length ?? 0) * 8 * 1000;
      expect(gaps).toHaveLength(4);
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(perFrameNs - NS_PER_TICK);
    });

    test('spaces packets by the queue rate that a Thrift client sets', async () => {
      await start();
      const clients = connectThrift(device.thriftPort);
      expect(await clients.simpleSwitch.set_egress_queue_rate(1, int64(100))).toBe(0);
      clients.close();
      const frames = Array.from({ length: 4 }, wholeFrame);
      const received = await exchange(frames, { from: legs[1], to: legs[0] });
      const [first = 0, ...later] = received.map((frame) => readUint48(frame, TIMESTAMP_AT));
      expect(later).toHaveLength(3);
      later.forEach((time, i) => {
        expect(time - first).toBeGreaterThanOrEqual((i + 1) * 10_000_000 - NS_PER_TICK);
      });
    });

    test('ends on SIGTERM with its counters and leaves the interfaces as they were', async () => {
      await start();
      await exchange([wholeFrame()], { from: legs[1], to: legs[0] });
      const { code, lastLine } = await device.stop();
      expect(code).toBe(0);
      expect(JSON.parse(lastLine)).toMatchObject({ received: 1, sent: 1, dropped: {} });
      for (const { outer } of legs) {
        const { stdout } = spawnSync('ip', ['-d', 'link', 'show', outer], { encoding: 'utf8' });
        expect(stdout).toContain('promiscuity 0');
      }
    });

    test('captures what interfaces receive and send', async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-live-'));
      try {
        await start(`--pcap=${folder}`);
        const sent = wholeFrame();
        const [received] = await exchange([sent], { from: legs[1], to: legs[0] });
        expect((await device.stop('SIGINT')).code).toBe(0);
        const captured = (name: string): Buffer =>
          fs.readFileSync(path.join(folder, name)).subarray(40);
        expect(toHex(captured(`${legs[1].outer}_in.pcap`))).toBe(toHex(sent));
        expect(toHex(captured(`${legs[0].outer}_out.pcap`))).toBe(toHex(received ?? sent));
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

    test('shows registers and interfaces to Thrift clients', async () => {
      await start();
      const clients = connectThrift(device.thriftPort);
      try {
        const { standard, simpleSwitch } = clients;
        const ports = await standard.bm_dev_mgr_show_ports();
        expect(ports.map(({ port, interfaceName }) => [port, interfaceName])).toEqual(
          legs.map(({ outer }, i) => [i + 1, outer]),
        );
        const program = JSON.parse(await standard.bm_get_config()) as {
          register_arrays: { name: string }[];
        };
        const name = program.register_arrays[0]?.name ?? '';
        await standard.bm_register_write(0, name, 3, int64(77));
        expect(fromInt64(await standard.bm_register_read(0, name, 3))).toBe(77n);
        const before = fromInt64(await simpleSwitch.get_time_elapsed_us());
        expect(fromInt64(await simpleSwitch.get_time_elapsed_us())).toBeGreaterThan(before);
      } finally {
        clients.close();
      }
    });

    test('names the interface that does not exist and the right that is missing', async () => {
      await start();
      const missing = run('--no-p4', '-i', '0@nosuch0', '--thrift-port', '0');
      expect([missing.status, missing.stderr]).toEqual([
        1,
        "hpcc: no network interface 'nosuch0' (ip link lists those that exist)\n",
      ]);
      const { status, stderr } = spawnSync(
        'setpriv',
        [
          '--bounding-set',
          '-net_raw',
          '--inh-caps',
          '-net_raw',
          process.execPath,
          PROGRAM,
          'switch',
          '--no-p4',
          '-i',
          `0@${legs[0].outer}`,
          '--thrift-port',
          '0',
        ],
        { encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([
        1,
        `hpcc: opening interface ${legs[0].outer} needs root or the capability CAP_NET_RAW\n`,
      ]);
    });
  },
);

describeIf(
  commandLineAvailable(),
  'the command line of bmv2',
  'needs simple_switch_CLI on PATH',
  () => {
    let device: LiveProcess;

    beforeAll(async () => {
      device = await startLive([path.join(p4ArtifactFolder(), 'hpcc.json')]);
    });

    afterAll(() => device.stop());

    const type = (...lines: readonly string[]): string =>
      spawnSync('simple_switch_CLI', ['--thrift-port', String(device.thriftPort)], {
        input: lines.map((line) => `${line}\n`).join(''),
        encoding: 'utf8',
      }).stdout;

    test('finds the program and sets queue rates and depths without complaint', () => {
      const output = type('set_queue_rate 100 1', 'set_queue_rate 50', 'set_queue_depth 10 1 0');
      expect(output).toContain('Obtaining JSON from switch...\nDone');
      expect(output).not.toMatch(/error|invalid|traceback/i);
    });

    test('reads back the registers that it writes', () => {
      const output = type(`register_write ${REGISTER} 3 4711`, `register_read ${REGISTER} 3`);
      expect(output).toContain(`${REGISTER}[3]= 4711`);
    });

    test('makes mirroring sessions and multicast groups', () => {
      const output = type(
        'mirroring_add 5 2',
        'mirroring_get 5',
        'mirroring_delete 5',
        'mirroring_get 5',
        'mc_mgrp_create 10',
        'mc_node_create 7 1 2',
        'mc_node_associate 10 0',
        'mc_dump',
      );
      expect(output).toContain('MirroringSessionConfig(port=2, mgid=None)');
      expect(output).toContain('SESSION_NOT_FOUND');
      expect(output).toContain('(L1h=0, rid=7) -> (ports=[1, 2], lags=[])');
    });
  },
);

/** A data frame from host 2 to host 1 with all its bytes. */
function wholeFrame(): Uint8Array {
  const packet = dataPacket();
  const bytes = new Uint8Array(packet.length);
  bytes.set(packet.bytes);
  return bytes;
}

/** Returns the first frame to host 1 as switch 1 sends it on. */
function forwarded(frame: Uint8Array, timestamp: number): Uint8Array {
  const bytes = frame.slice();
  writeUint48(bytes, 0, 0x0201_0000_0001);
  writeUint48(bytes, 6, 0x0200_0001_0001);
  bytes[22] = (bytes[22] ?? 0) - 1;
  // RFC 1141: the checksum after a decrement of the time to live.
  const sum = readUint16(bytes, 24) + 0x0100;
  writeUint16(bytes, 24, (sum & 0xffff) + (sum >> 16));
  const hop = {
    switchId: 1,
    ingressPortId: 2,
    portId: 1,
    queueBytes: 0,
    timestamp,
    txBytes: 0,
    capacity: GIGABITS_PER_SECOND * 1e9,
  };
  return pushHop({ bytes, length: bytes.length }, hop).bytes;
}
