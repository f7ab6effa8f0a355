import { InputError } from '../../../../common/errors';
import { loadP4Artifacts } from '../../../../common/io/p4-profiles';
import { generatedProgram } from '../../../../switch/codegen/generated-executor';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { rememberedProgram } from '../../../../switch/ir/remembered-program';
import { LiveDevice } from '../../../../switch/io/live-device';
import { readSwitchFlags } from '../../../../switch/io/flags/switch-flags';
import { FORWARDING } from '../support/forwarding';
import { programText } from '../support/program';
import type { SwitchOutput } from '../../../../switch/v1model/options';

const DROP_PORT = 511;
const NOTHING: SwitchOutput = { transmit: () => undefined, schedulePort: () => undefined };

function deviceOf(flags: readonly string[], output: SwitchOutput): LiveDevice {
  const request = readSwitchFlags(['--no-p4', ...flags]);
  if (request.kind !== 'run') throw new Error(`wanted a run, found ${request.kind}`);
  return new LiveDevice(request.flags, { output });
}

/** Packets of ten bytes that go to port 2 at once; says how many leave in the end. */
function leavingOf(packets: number, ...flags: readonly string[]): number {
  let sent = 0;
  const wanted: number[] = [];
  const output: SwitchOutput = {
    transmit: () => {
      sent++;
    },
    schedulePort: (_port, [at = 0]) => {
      wanted.push(at);
    },
  };
  const device = deviceOf(flags, output);
  device.loadProgram(programText(FORWARDING));
  for (let i = 0; i < packets; i++) {
    device.handlePacket(0, 1, { bytes: Uint8Array.of(2, ...new Array<number>(9)), length: 10 });
  }
  for (let at = wanted.shift(); at !== undefined; at = wanted.shift()) device.handlePortFree(2, at);
  return sent;
}

describe('the queues of the live switch', () => {
  test('hold any number of packets for a link', () => {
    expect(leavingOf(700, '--link-rate-bps', '2=1e6')).toBe(700);
  });

  test('hold what --queue-depth says, besides the packet that is on the link', () => {
    expect(leavingOf(70, '--queue-depth', '2=5', '--link-rate-bps', '2=1e6')).toBe(6);
    expect(leavingOf(70, '--queue-depth', '3=5', '--link-rate-bps', '2=1e6')).toBe(70);
  });
});

describe('a program that is prepared', () => {
  const { deviceConfig } = loadP4Artifacts('hpcc');

  test('has been read and generated in another thread, while this one went on', async () => {
    const { text, shape } = generatedProgram(readProgram(deviceConfig), DROP_PORT);
    // Another text with the same meaning, so that nothing is known of it yet.
    const json = `${deviceConfig}\n`;
    let [rounds, isReady] = [0, false];
    const turn = (): void => {
      rounds += 1;
      if (!isReady) setImmediate(turn);
    };
    turn();
    await deviceOf([], NOTHING).prepareProgram(json);
    isReady = true;
    expect(rememberedProgram(json)).toBeDefined();
    expect(generatedProgram(readProgram(json), DROP_PORT)).toMatchObject({ text, shape });
    expect(rounds).toBeGreaterThan(100);
  });

  test('runs when it is loaded, with either executor', async () => {
    for (const executor of ['generated', 'interpreter']) {
      const device = deviceOf(['--executor', executor], NOTHING);
      const json = `${programText(FORWARDING)}${executor === 'generated' ? '' : ' '}`;
      await device.prepareProgram(json);
      device.loadProgram(json);
      device.handlePacket(0, 1, { bytes: Uint8Array.of(2, ...new Array<number>(9)), length: 10 });
      expect(device.counters().ports.get(2)?.txPackets).toBe(1);
    }
  });

  test('is refused in the words of the reader', async () => {
    await expect(deviceOf([], NOTHING).prepareProgram('{}')).rejects.toThrow(
      new InputError(reasonOf('{} ')),
    );
  });
});

function reasonOf(json: string): string {
  try {
    readProgram(json);
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
}
