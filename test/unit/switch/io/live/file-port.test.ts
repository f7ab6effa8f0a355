import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { WireFault } from '../../../../../common/wire/fault';
import { readCapture } from '../../../../../common/wire/capture/capture';
import { FilePort } from '../../../../../switch/io/live/file-port';
import { FrameOrder } from '../../../../../switch/io/live/frame-order';
import { bmv2Available, SIMPLE_SWITCH_GRPC } from '../../../../support/bmv2-process';
import { drainPort } from '../../../../support/drain-port';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { ROOT } from '../../../../support/paths';
import { describeIf } from '../../../../support/requires';
import { startedSwitch } from '../../../../support/started-switch';
import { pcapFile } from '../../../../support/wire/pcap-file';

/** Without entries it sends every packet to port 1 as it came. */
const TO_PORT_1 = path.join(ROOT, 'test', 'p4', 'artifacts', 'act_conditional.json');
const LOOK_MS = 20;

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-files-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

function frame(first: number): Uint8Array {
  const bytes = new Uint8Array(60);
  bytes[0] = first;
  return bytes;
}

/** Frames a millisecond apart; the first ones of all files have the same time. */
const write = (name: string, ...first: readonly number[]): void =>
  fs.writeFileSync(at(`${name}_in.pcap`), pcapFile(first.map(frame)));

/** The first byte of each frame that a file holds by now. */
const written = (name: string): number[] =>
  [...readCapture(fs.readFileSync(at(`${name}_out.pcap`)))].flatMap((each) =>
    each instanceof WireFault ? [] : [each.bytes[0] ?? -1],
  );

async function untilWritten(name: string, count: number): Promise<void> {
  while (!fs.existsSync(at(`${name}_out.pcap`)) || written(name).length < count) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Runs a switch in the folder until port 1 has sent so many frames. */
async function runUntil(command: readonly string[], frames: number): Promise<number[]> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  await untilWritten('a', frames);
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return written('a');
}

const FLAGS = ['--use-files', '0', '-i', '1@a', '-i', '2@b', '--thrift-port', '0', TO_PORT_1];
const COMMAND_LINE = [...FLAGS, '--', '--grpc-server-addr', '127.0.0.1:0'];
/** In the order of their times; of equal times, the port that was named first comes first. */
const IN_ORDER = [1, 11, 2, 12, 3];

describe('ports that are files', () => {
  test('receive in the order of times over all files', async () => {
    write('a', 1, 2, 3);
    write('b', 11, 12);
    const command = [...LIVE_PROGRAM, 'switch', ...COMMAND_LINE];
    expect(await runUntil(command, IN_ORDER.length)).toEqual(IN_ORDER);
  });

  test('count what they receive and send, and keep their files when the switch ends', async () => {
    write('a', 1, 2);
    const running = await startedSwitch(['--use-files', '0', '-i', `1@${at('a')}`, TO_PORT_1]);
    await untilWritten('a', 2);
    expect(await running.stop()).toEqual({ received: 2, sent: 2, dropped: {} });
    expect(written('a')).toEqual([1, 2]);
  });

  test('wait until they may begin', () => {
    write('a', 1, 2);
    let begun = false;
    const order = new FrameOrder();
    const port = new FilePort({ port: 1, name: at('a'), order, hasBegun: () => begun });
    const received: (number | undefined)[] = [];
    const take = (bytes: Uint8Array): void => void received.push(bytes[0]);
    expect(drainPort(port, 64, take)).toBe(0);
    begun = true;
    expect([
      drainPort(port, 1, take),
      drainPort(port, 64, take),
      drainPort(port, 64, take),
    ]).toEqual([1, 1, 0]);
    port.close();
    expect(received).toEqual([1, 2]);
  });

  test.each([
    ['that is missing', undefined, 'x_in.pcap cannot be read: ENOENT'],
    ['of another kind', Uint8Array.of(1, 2, 3, 4, 5), 'must start as pcap or pcapng does'],
    ['that ends too early', pcapFile([frame(1)]).subarray(0, 50), 'x_in.pcap: pcap record at'],
  ])('refuse a file %s before anything is written', async (_, content, message) => {
    if (content !== undefined) fs.writeFileSync(at('x_in.pcap'), content);
    const argv = ['--no-p4', '--use-files', '0', '-i', `1@${at('x')}`];
    await expect(startedSwitch(argv)).rejects.toThrow(message);
    expect(fs.existsSync(at('x_out.pcap'))).toBe(false);
  });
});

describeIf(
  bmv2Available(),
  'ports of bmv2 that are files',
  'needs simple_switch_grpc on PATH',
  () => {
    test('receive in the same order', async () => {
      write('a', 1, 2, 3);
      write('b', 11, 12);
      const command = [SIMPLE_SWITCH_GRPC, ...COMMAND_LINE];
      expect(await runUntil(command, IN_ORDER.length)).toEqual(IN_ORDER);
    });
  },
);
