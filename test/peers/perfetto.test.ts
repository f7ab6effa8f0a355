import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import type { Simulation } from '../../emulator/simulation/simulation';
import { tracerOf } from '../../emulator/io/trace-file';
import type { Tracer } from '../../emulator/trace/tracer';
import { TraceFile } from '../../emulator/io/trace-file';
import { interpreterWith } from '../support/peer-process';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';

const interpreter = interpreterWith('perfetto.protos.perfetto.trace.perfetto_trace_pb2');

interface Found {
  readonly counters: Readonly<Record<string, number>>;
  readonly slices: Readonly<Record<string, number>>;
  readonly names: readonly string[];
  readonly arrow: readonly string[];
}

describeIf(
  interpreter !== undefined,
  "Perfetto's own Python package",
  'no Python has the package perfetto (HPCC_PEER_PYTHON)',
  () => {
    test('finds waiting packets, counters and arrows of one flow in the trace of an incast', async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perfetto-'));
      try {
        const name = path.join(folder, 'incast.pftrace');
        const file = new TraceFile(name, 1e8);
        const trace = { write: file.write, flows: [3], toUs: 60 };
        const scenario = { ...loadScenario('incast16'), untilUs: 80 };
        const observer = (simulation: Simulation): Tracer => tracerOf(simulation, trace);
        await runScenario({ scenario, seed: 1, observer });
        file.close();
        const script = path.join(ROOT, 'test', 'peers', 'perfetto_peer.py');
        const run = spawnSync(interpreter ?? '', [script, name], { encoding: 'utf8' });
        const found = JSON.parse(run.stdout) as Found;
        expect(found.names).toEqual(['flow 3']);
        expect(found.slices['s1:1->h1:1 waiting']).toBeGreaterThan(10);
        // One packet: out of its host, through the switch's queue and link, to its receiver.
        expect(found.arrow).toEqual([
          'h4 sending',
          's1:1->h1:1 waiting',
          's1:1->h1:1 sending',
          'h1 received',
        ]);
        expect(found.counters['s1:1->h1:1 queue']).toBeGreaterThan(500_000);
        expect(found.counters['flow 3 rate']).toBe(100);
        expect(found.counters['flow 3 window']).toBeGreaterThan(40_000);
        expect(found.counters['s1:1->h1:1 U']).toBeGreaterThan(1);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });
  },
);
