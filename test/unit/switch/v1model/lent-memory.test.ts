import { executorFactory } from '../../../../switch/codegen/executors';
import { EXECUTOR_NAMES } from '../../../../switch/codegen/executor-names';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { programText } from '../support/program';
import { steering } from '../support/steering';
import type { ExecutorName } from '../../../../switch/codegen/executor-names';

const MS = 1e9;
const PACKETS_PER_SECOND = 1000;

/**
 * Gives three packets in one piece of memory to a switch whose port 1 sends one a millisecond;
 * returns what it sends behind the header that the program adds.
 */
function run(name: ExecutorName, lendsPackets: boolean): number[][] {
  const sent: number[][] = [];
  const memory = new Uint8Array(5);
  const device = new V1ModelSwitch({
    ports: [0, 1, 2].map((port) => ({
      pacing: 'bmv2 packets/s' as const,
      port,
      ...(port === 1 && { packetsPerSecond: PACKETS_PER_SECOND }),
    })),
    output: {
      lendsPackets,
      transmit: (_port, { bytes }) => void sent.push([...bytes.subarray(-memory.length)]),
      schedulePort: () => undefined,
    },
    executor: executorFactory(name),
  });
  device.loadProgram(programText(steering([])));
  for (const payload of [7, 8, 9]) {
    memory.set([1, 0, payload, payload, payload]);
    device.handlePacket(MS, 2, { bytes: memory, length: memory.length });
  }
  memory.fill(0xff);
  for (const now of [2, 3, 4]) device.handlePortFree(1, now * MS);
  return sent;
}

describe.each(EXECUTOR_NAMES)('packets in memory that is lent to a switch (%s)', (name) => {
  test('leave as they came, however long they wait', () => {
    const packets = [7, 8, 9].map((payload) => [1, 0, payload, payload, payload]);
    expect(run(name, true)).toEqual(packets);
  });

  test('are read again when they leave, where the switch may keep them', () => {
    expect(run(name, false)[1]?.slice(2)).toEqual([0xff, 0xff, 0xff]);
  });
});
