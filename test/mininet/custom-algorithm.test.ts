import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, CUSTOM_ALGORITHM, algorithmFolder } from '../support/custom-algorithm';
import { missingForMininet } from '../support/mininet-requirements';
import { describeIf } from '../support/requires';

const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
const MISSING = missingForMininet();
const TIMEOUT_MS = 120_000;

/** A switch that marks, and pauses two hosts at twice the rate of the third. */
const TOPOLOGY = `
network: star
program: hpcc-queues
telemetry: {ecn: {minBytes: 8000, maxBytes: 8000}}
switches: [{name: s1}]
hosts: [{name: h1}, {name: h2}, {name: h3}]
links:
  - {between: [h1, "s1:1"], rate: 10 Mb/s}
  - {between: [h2, "s1:2"], rate: 10 Mb/s}
  - {between: [h3, "s1:3"], rate: 5 Mb/s}
`;

const experimentWith = (more: string): string => `
experiment: own
title: An algorithm of my own
topology: ./star.yaml
bottleneck: "s1:3"
frameBytes: 1106
algorithm: {baseRttUs: 20000, expectedFlows: 2}
flows:
  - {name: first, kind: hpcc, from: h1, to: h3, bytes: 500000}
${more}`;

describeIf(MISSING === '', 'experiments under Mininet', MISSING, () => {
  const folder = algorithmFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  function mininet(more: string, algorithm = '') {
    fs.writeFileSync(path.join(folder, 'star.yaml'), TOPOLOGY);
    fs.writeFileSync(path.join(folder, 'own.yaml'), experimentWith(more));
    fs.writeFileSync(path.join(folder, 'mine.mjs'), algorithm);
    const argv = [MAIN, 'mininet', 'own.yaml', '--json', '--out', 'out'];
    return spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });
  }

  const text = (name: string): string => fs.readFileSync(path.join(folder, 'out', name), 'utf8');
  const windows = (): number[] =>
    text('first.trace.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { windowBytes: number }).windowBytes);

  test(
    'take the algorithm of a file, and so does the same run in the emulator',
    () => {
      const { status, stderr } = mininet('options: [--algorithm, ./mine.mjs]', CUSTOM_ALGORITHM);
      expect([status, stderr]).toEqual([0, expect.stringContaining('finished')]);
      expect(Math.min(...windows())).toBeLessThan(0.8 * Math.max(...windows()));
      const twin = JSON.parse(text(path.join('emulated', 'result.json'))) as {
        readonly parameters: object;
        readonly generator: object;
      };
      expect(twin.parameters).toMatchObject({ algorithm: './mine.mjs' });
      expect(twin.generator).toMatchObject({ p4Program: 'hpcc-queues.p4' });
    },
    TIMEOUT_MS,
  );

  test(
    'fail when it goes wrong in the middle, named with flow, file and call',
    () => {
      // Before the first flow of a process others warm it up; h3, at the slower link, is the first.
      const wrong = after('if (linkRate > 7e6) this.windowBytes = -5', 100);
      const { status, stderr } = mininet('options: [--algorithm, ./mine.mjs]', wrong);
      expect(status).toBe(1);
      expect(stderr).toContain('ready');
      expect(stderr).toContain(
        'hpcc: flow first of h1 failed: ./mine.mjs: onAck left windowBytes at -5; it must be',
      );
    },
    TIMEOUT_MS,
  );

  test(
    'give switches memory, which pause hosts that nothing else slows down',
    () => {
      const { status, stderr } = mininet(`
  - {name: second, kind: hpcc, from: h2, to: h3, bytes: 500000}
options: [--algorithm, none, --rto-ms, 5000]
buffer: {bytes: 450000, pfc: {headroomBytes: 125000}}
`);
      expect([status, stderr]).toEqual([0, expect.stringContaining('finished')]);
      const counters = JSON.parse(text('s1.out').trim().split('\n').at(-1) ?? '') as {
        readonly lossless: { readonly pauses: number; readonly losslessDrops: number };
      };
      expect(counters.lossless.pauses).toBeGreaterThan(0);
      expect(counters.lossless.losslessDrops).toBe(0);
      const twin = JSON.parse(text(path.join('emulated', 'result.json'))) as {
        readonly lossless: { readonly pauses: number; readonly losslessDrops: number };
      };
      expect(twin.lossless.pauses).toBeGreaterThan(0);
      expect(twin.lossless.losslessDrops).toBe(0);
    },
    TIMEOUT_MS,
  );
});
