import { Worker } from 'node:worker_threads';
import { BrokenBarrier, Barrier, BARRIER_WORDS } from '../../../../emulator/workers/barrier';

const newMemory = (): SharedArrayBuffer => new SharedArrayBuffer(BARRIER_WORDS * 4);
const BARRIER_FILE = require.resolve('../../../../emulator/workers/barrier');

/** Passes the barrier so many times in a thread, and adds one to a counter before each. */
const passing = (memory: SharedArrayBuffer, counter: SharedArrayBuffer, times: number): Worker =>
  new Worker(
    `const { workerData: d } = require('node:worker_threads');
     const { Barrier } = require(d.file);
     const barrier = new Barrier(d.memory, 2, false);
     const counter = new Int32Array(d.counter);
     for (let i = 0; i < d.times; i++) { Atomics.add(counter, 0, 1); barrier.pass(); barrier.pass(); }`,
    { eval: true, workerData: { memory, counter, times, file: BARRIER_FILE } },
  );

describe('a barrier', () => {
  it('lets nobody pass before all have come', async () => {
    const memory = newMemory();
    const counter = new SharedArrayBuffer(4);
    const times = 50;
    const other = passing(memory, counter, times);
    const barrier = new Barrier(memory, 2, true);
    const seen = new Int32Array(counter);
    for (let i = 1; i <= times; i++) {
      Atomics.add(seen, 0, 1);
      barrier.pass();
      expect(Atomics.load(seen, 0)).toBe(2 * i);
      barrier.pass();
    }
    await other.terminate();
  });

  it('that is broken holds nobody', () => {
    const memory = newMemory();
    new Barrier(memory, 2, false).break();
    expect(() => new Barrier(memory, 2, true).pass()).toThrow(BrokenBarrier);
  });

  it('carries the wish to stop to all', () => {
    const memory = newMemory();
    const barrier = new Barrier(memory, 2, false);
    expect(barrier.isStopping).toBe(false);
    new Barrier(memory, 2, false).stop();
    expect(barrier.isStopping).toBe(true);
  });
});
