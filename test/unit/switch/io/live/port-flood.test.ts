import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { freePort } from '../../../../../common/io/net/free-port';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { canMakeNamespaces, startLive } from '../../../../support/live-network';
import { PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const DESCRIPTORS = 256;
const NAME = `hpx${process.pid}`;
const DEADLINE_MS = 60_000;
/** Connections that are opened at each door at first, and again and again. */
const FIRST = 120;
const WAVE = 10;
const WAVE_MS = 200;

const ip = (...args: string[]): void => void execFileSync('ip', args);

function makePair(): void {
  ip('link', 'add', NAME, 'type', 'veth', 'peer', 'name', `${NAME}b`);
  ip('link', 'set', NAME, 'up');
  ip('link', 'set', `${NAME}b`, 'up');
}

/** Opens connections that say nothing, wave after wave, at all doors; returns what ends that. */
function flood(ports: readonly number[]): () => void {
  const sockets = new Set<net.Socket>();
  const wave = (count: number): void => {
    for (const port of ports.flatMap((each) => new Array<number>(count).fill(each))) {
      const socket = net.connect(port, '127.0.0.1').resume();
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    }
  };
  wave(FIRST);
  const waves = setInterval(() => wave(WAVE), WAVE_MS);
  return () => {
    clearInterval(waves);
    for (const socket of sockets) socket.destroy();
  };
}

/** @throws Error after a quarter of the test's time. */
async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + DEADLINE_MS / 4;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not so in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describeIf(
  canMakeNamespaces() && fs.existsSync('/proc/self/fd'),
  `attack 5: a flood at every door of a switch with ${DESCRIPTORS} descriptors`,
  'needs root, the ip command and /proc',
  () => {
    const undo: (() => unknown)[] = [];
    beforeEach(() => makePair());
    // Also of a test that ran out of time.
    afterEach(async () => {
      for (const each of undo.splice(0)) await each();
      ip('link', 'del', NAME);
    });

    // As many connections as doors have of themselves, and more than there are descriptors.
    test.each([[[]], [['p4runtime-connections=500', 'thrift-connections=500']]])(
      'keeps out neither a controller nor an interface that is made again, with limits %j',
      async (limits: readonly string[]) => {
        const metrics = await freePort();
        const limited = `ulimit -n ${DESCRIPTORS}; exec "$@"`;
        const command = ['sh', '-c', limited, 'sh', process.execPath, PROGRAM, 'switch'];
        const flags = ['-i', `1@${NAME}`, '--no-p4', '--metrics', String(metrics)];
        const own = limits.flatMap((each) => ['--limit', each]);
        const live = await startLive([...flags, ...own], { command });
        undo.push(() => live.stop('SIGKILL'));
        const open = (): number => fs.readdirSync(`/proc/${live.pid}/fd`).length;
        const grpcPort = Number(live.grpcAddress.split(':')[1]);
        undo.push(flood([metrics, live.thriftPort, grpcPort]));
        await until(() => open() > 150, 'the doors are full');
        const bid = async (electionId: bigint): Promise<void> => {
          const controller = new RawController(live.grpcAddress, 0n);
          undo.push(() => controller.close());
          expect(await controller.bidAndWait(electionId)).toBe('OK');
        };
        await bid(5n);
        ip('link', 'del', NAME);
        await live.logged(/Port 1 is down/);
        makePair();
        const index = fs.readFileSync(`/sys/class/net/${NAME}/ifindex`, 'utf8').trim();
        const attached = new RegExp(` 0003 +${index} `);
        const sockets = (): string => fs.readFileSync('/proc/net/packet', 'utf8');
        await until(() => attached.test(sockets()), 'the new interface is attached');
        expect(open()).toBeLessThan(DESCRIPTORS - 8);
        await bid(6n);
      },
      DEADLINE_MS,
    );
  },
);
