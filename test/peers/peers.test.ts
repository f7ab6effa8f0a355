import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { RPC_CODE } from '../../common/p4runtime/rpc-code';
import { startP4RuntimeServer } from '../../switch/server/server';
import type { P4RuntimeServer } from '../../switch/server/server';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../support/p4runtime/externs-program';
import { ServedV1Model } from '../support/p4runtime/served-v1model';
import { interpreterWith, runPeer } from '../support/peer-process';
import { describeIf } from '../support/requires';

const FRAME = '00000000000100000000000208000102030405';
const TIME_LIMIT_MS = 90_000;

interface Peer {
  readonly name: string;
  readonly module: string;
  readonly script: string;
  readonly found: Readonly<Record<string, unknown>>;
}

/** Controllers that are not ours, and what each must find on our server. */
const PEERS: readonly Peer[] = [
  {
    name: 'finsy',
    module: 'finsy',
    script: 'finsy_peer.py',
    found: {
      priorities: [1, 2],
      direct: [5, 20],
      register: 0x0a0b0c0d0e0f,
      counters: 8,
      groups: [1],
      sessions: [64],
      packet: [3, FRAME],
      digest: [{ source: 2, port: 3 }],
      received: 2,
      refused: [RPC_CODE.ALREADY_EXISTS],
      reconnected: 2,
      left: 0,
    },
  },
  {
    name: 'p4runtime-shell',
    module: 'p4runtime_sh.shell',
    script: 'p4runtime_shell_peer.py',
    found: {
      priorities: [7],
      counters: [0, 0, 3],
      meter: 20,
      groups: [1],
      packet: [3, FRAME],
      modified: [4],
      deleted: 0,
      digests: [[2, 3]],
      received: [1],
      reconnected: 1,
    },
  },
];

describe.each(PEERS)('the P4Runtime server and $name', ({ name, module, script, found }) => {
  const interpreter = interpreterWith(module);
  const reason = `no interpreter of HPCC_PEER_PYTHON has ${module}`;

  describeIf(interpreter !== undefined, `driven by ${name}`, reason, () => {
    let device: ServedV1Model;
    let server: P4RuntimeServer;
    let folder: string;

    beforeEach(async () => {
      device = new ServedV1Model();
      const devices = new Map([[1, device]]);
      server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-peer-'));
      fs.writeFileSync(path.join(folder, 'p4info.txt'), EXTERNS_P4INFO);
      fs.writeFileSync(path.join(folder, 'program.json'), EXTERNS_PROGRAM);
    });

    afterEach(async () => {
      await server.stop();
      fs.rmSync(folder, { recursive: true });
    });

    test(
      'everything is written, read back, exchanged, and there again after a reconnection',
      async () => {
        const files = ['p4info.txt', 'program.json'].map((each) => path.join(folder, each));
        const result = await runPeer(interpreter ?? '', script, {
          args: [`127.0.0.1:${server.port}`, ...files],
          inject: (port, frame) => device.arrive(port, frame),
        });
        expect(result).toEqual(found);
        expect(device.sent.filter(({ port }) => port === 4)).toEqual([{ port: 4, hex: FRAME }]);
      },
      TIME_LIMIT_MS,
    );
  });
});
