import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gigabitsPerSecond, microseconds } from '../../../../../common/units/units';
import { HpccppWindow } from '../../../../../host-agent/algorithm/window-form';
import { HostAgent } from '../../../../../host-agent/transport/host';

const FLOWS = 10_000;
const ROUNDS = 4;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of heap in use, without garbage. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('a flow that has heard nothing takes less than a kilobyte besides its algorithm', () => {
  const link = { linkRate: gigabitsPerSecond(100), baseRtt: microseconds(8) };
  const shared = new HpccppWindow(link);
  const agent = new HostAgent({
    address: 0x0a00_0001,
    mac: 1,
    ...link,
    congestionControl: () => shared,
  });
  const start = (id: number): void => {
    agent.startFlow(0, { id, destinationAddress: 0x0a00_0002, destinationMac: 2, bytes: 1e6 });
    while (agent.pollEvent() !== undefined);
  };
  for (let id = 0; id < 100; id++) start(id);
  // The least of several thousands: what else the process does meanwhile, such as compiling, only adds.
  let next = 100;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = used();
    for (const end = next + FLOWS; next < end; next++) start(next);
    return (used() - before) / FLOWS;
  });
  expect(Math.min(...rounds)).toBeLessThan(1000);
  expect(agent.pollTransmit(0)).toBeDefined();
});
