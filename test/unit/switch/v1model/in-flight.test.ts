import { executorFactory } from '../../../../switch/codegen/executors';
import { EXECUTOR_NAMES } from '../../../../switch/codegen/executor-names';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { ProgramState } from '../../../../switch/state/program-state';
import { FlightPool } from '../../../../switch/v1model/in-flight';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { programText } from '../support/program';
import { steering } from '../support/steering';
import type { ExecutorName } from '../../../../switch/codegen/executor-names';
import type { Program } from '../../../../switch/ir/nodes';

const MS = 1e9;

function poolOf(name: ExecutorName, program: Program): FlightPool {
  const state = new ProgramState(program);
  return new FlightPool(executorFactory(name)({ program, state, dropPort: 511 }));
}

describe('packets in flight', () => {
  const program = readProgram(programText(steering([])));

  test('are objects that switches with one program hand to each other', () => {
    const [one, other] = [poolOf('generated', program), poolOf('generated', program)];
    const flight = one.take();
    expect(other.take()).not.toBe(flight);
    one.give(flight);
    expect(other.take()).toBe(flight);
  });

  test('stay with their switch where they know what it has', () => {
    const [one, other] = [poolOf('interpreter', program), poolOf('interpreter', program)];
    const flight = one.take();
    one.give(flight);
    expect(other.take()).not.toBe(flight);
    expect(one.take()).toBe(flight);
  });

  test('of another program are others', () => {
    const different = readProgram(programText({}));
    const [one, other] = [poolOf('generated', program), poolOf('generated', different)];
    const flight = one.take();
    one.give(flight);
    expect(other.take()).not.toBe(flight);
  });
});

/** A switch whose port 1 sends a packet each millisecond, and what it has sent. */
function pacedSwitch(name: ExecutorName): {
  readonly device: V1ModelSwitch;
  readonly sent: number[][];
} {
  const sent: number[][] = [];
  const device = new V1ModelSwitch({
    ports: [0, 1, 2].map((port) => ({
      pacing: 'bmv2 packets/s' as const,
      port,
      ...(port === 1 && { packetsPerSecond: 1000 }),
    })),
    output: {
      transmit: (_, { bytes }) => void sent.push([...bytes]),
      schedulePort: () => undefined,
    },
    executor: executorFactory(name),
  });
  device.loadProgram(programText(steering([])));
  return { device, sent };
}

test.each(EXECUTOR_NAMES)(
  'packets of two switches (%s) wait beside each other unchanged',
  (name) => {
    const text = (payload: number): Uint8Array => Uint8Array.of(1, 0, payload, payload);
    const [one, other, alone] = [pacedSwitch(name), pacedSwitch(name), pacedSwitch(name)];
    for (const payload of [7, 8, 9]) {
      one.device.handlePacket(MS, 2, { bytes: text(payload), length: 4 });
      alone.device.handlePacket(MS, 2, { bytes: text(payload), length: 4 });
      other.device.handlePacket(MS, 0, { bytes: text(100 + payload), length: 4 });
    }
    for (const now of [2, 3, 4]) {
      other.device.handlePortFree(1, now * MS);
      one.device.handlePortFree(1, now * MS);
    }
    for (const now of [2, 3, 4]) alone.device.handlePortFree(1, now * MS);
    expect(one.sent).toEqual(alone.sent);
    expect(one.sent.map((bytes) => bytes.slice(-2))).toEqual([7, 8, 9].map((each) => [each, each]));
    expect(other.sent.map((bytes) => bytes.at(-1))).toEqual([107, 108, 109]);
  },
);
