import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { ROOT } from '../../../../support/paths';

/** Prints bytes of heap of a flow, the least of several thousands. */
const MEASURE = `
const { gigabitsPerSecond, microseconds } = require('./common/units/units');
const { HpccppWindow } = require('./host-agent/algorithm/window-form');
const { HostAgent } = require('./host-agent/transport/host');
const link = { linkRate: gigabitsPerSecond(100), baseRtt: microseconds(8) };
const shared = new HpccppWindow(link);
const agent = new HostAgent({ address: 0x0a000001, mac: 1, ...link, congestionControl: () => shared });
let next = 0;
const start = (count) => {
  for (const end = next + count; next < end; next++) {
    agent.startFlow(0, { id: next, destinationAddress: 0x0a000002, destinationMac: 2, bytes: 1e6 });
    while (agent.pollEvent() !== undefined);
  }
};
const used = () => (gc(), process.memoryUsage().heapUsed);
start(100);
const rounds = Array.from({ length: 4 }, () => {
  const before = used();
  start(10_000);
  return (used() - before) / 10_000;
});
if (agent.pollTransmit(0) === undefined) throw new Error('the flows send nothing');
process.stdout.write(String(Math.min(...rounds)));
`;

// In a process of its own: where other suites have run, objects of the same code are larger.
test('a flow that has heard nothing takes less than a kilobyte besides its algorithm', () => {
  const argv = ['--expose-gc', '-e', MEASURE];
  const printed = execFileSync(process.execPath, argv, { cwd: path.join(ROOT, 'build') });
  expect(Number(printed)).toBeGreaterThan(500);
  expect(Number(printed)).toBeLessThan(1000);
});
