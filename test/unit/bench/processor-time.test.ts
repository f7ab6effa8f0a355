import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processorSeconds } from '../../../bench/live/processor-time';

/** Keeps a thread busy until it has had so much processor time, and says so when that thread has ended. */
const THREAD = `
  const { Worker } = require('node:worker_threads');
  const work = "let x = 0; while (process.cpuUsage().user < 300000) x++;";
  new Worker(work, { eval: true }).on('exit', () => {
    console.log('ended');
    setTimeout(() => undefined, 60_000);
  });
`;

test('counts threads that have ended', async () => {
  const child = spawn(process.execPath, ['-e', THREAD], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    expect(processorSeconds(child.pid)).toBeGreaterThan(0.3);
    expect(processorSeconds(child.pid)).toBeLessThan(10);
  } finally {
    child.kill();
  }
});

test('is that of the calling process without a number', () => {
  const before = processorSeconds(undefined);
  const { user, system } = process.cpuUsage();
  expect(Math.abs(before - (user + system) / 1e6)).toBeLessThan(0.1);
});

test('of a process that is not there cannot be read', () => {
  expect(() => processorSeconds(2 ** 22 + 1)).toThrow(
    'reading the processor time of process 4194305',
  );
});
