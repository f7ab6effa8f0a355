import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runSimulator } from '../../../bench/simulator';

/** A program in the place of the HPCC simulator. */
function simulator(folder: string, body: string): string {
  const file = path.join(folder, 'simulator');
  fs.writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return file;
}

describe('the HPCC simulator beside the emulator', () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-simulator-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  test('gets settings that name the files of its folder', () => {
    const program = simulator(folder, 'cp "$1" fct.txt && test -f trace.txt');
    expect(runSimulator(program, folder)).toBeGreaterThan(0);
    const settings = fs.readFileSync(path.join(folder, 'fct.txt'), 'utf8').split('\n');
    expect(settings).toContain('TOPOLOGY_FILE topology.txt');
    expect(settings).toContain('FLOW_FILE flows.txt');
  });

  test('is refused when it fails, and when it leaves no completion times', () => {
    expect(() => runSimulator(simulator(folder, 'exit 3'), folder)).toThrow('--ns3: cannot run');
    expect(() => runSimulator(simulator(folder, 'exit 0'), folder)).toThrow('no completion times');
    expect(() => runSimulator(path.join(folder, 'none'), folder)).toThrow('--ns3: cannot run');
  });
});
