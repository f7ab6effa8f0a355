import { LiveDevice } from '../../../../switch/io/live-device';
import { readSwitchFlags } from '../../../../switch/io/flags/switch-flags';
import { FORWARDING } from '../support/forwarding';
import { programText } from '../support/program';
import type { SwitchOutput } from '../../../../switch/v1model/options';

/** Packets of ten bytes that go to port 2 at once; says how many leave in the end. */
function leavingOf(packets: number, ...flags: readonly string[]): number {
  let sent = 0;
  const wanted: number[] = [];
  const output: SwitchOutput = {
    transmit: () => {
      sent++;
    },
    schedulePort: (_port, at) => {
      wanted.push(at);
    },
  };
  const request = readSwitchFlags(['--no-p4', ...flags]);
  if (request.kind !== 'run') throw new Error(`wanted a run, found ${request.kind}`);
  const device = new LiveDevice(request.flags, output, () => undefined);
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
