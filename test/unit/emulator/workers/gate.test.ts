import { Worker } from 'node:worker_threads';
import { BrokenGate, Gate, GATE_WORDS } from '../../../../emulator/workers/gate';

const newMemory = (): SharedArrayBuffer => new SharedArrayBuffer(GATE_WORDS * 4);
const GATE_FILE = require.resolve('../../../../emulator/workers/gate');

/** Passes the gate so many times in a thread, and adds one to a counter before each. */
const passing = (memory: SharedArrayBuffer, counter: SharedArrayBuffer, times: number): Worker =>
  new Worker(
    `const { workerData: d } = require('node:worker_threads');
     const { Gate } = require(d.file);
     const gate = new Gate(d.memory, 2, false);
     const counter = new Int32Array(d.counter);
     for (let i = 0; i < d.times; i++) { Atomics.add(counter, 0, 1); gate.pass(); gate.pass(); }`,
    { eval: true, workerData: { memory, counter, times, file: GATE_FILE } },
  );

describe('a gate', () => {
  it('lets nobody pass before all have come', async () => {
    const memory = newMemory();
    const counter = new SharedArrayBuffer(4);
    const times = 50;
    const other = passing(memory, counter, times);
    const gate = new Gate(memory, 2, true);
    const seen = new Int32Array(counter);
    for (let i = 1; i <= times; i++) {
      Atomics.add(seen, 0, 1);
      gate.pass();
      expect(Atomics.load(seen, 0)).toBe(2 * i);
      gate.pass();
    }
    await other.terminate();
  });

  it('that is broken holds nobody', () => {
    const memory = newMemory();
    new Gate(memory, 2, false).break();
    expect(() => new Gate(memory, 2, true).pass()).toThrow(BrokenGate);
  });

  it('carries the wish to stop to all', () => {
    const memory = newMemory();
    const gate = new Gate(memory, 2, false);
    expect(gate.isStopping).toBe(false);
    new Gate(memory, 2, false).stop();
    expect(gate.isStopping).toBe(true);
  });
});
