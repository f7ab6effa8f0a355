import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runDoctor } from '../../../../mininet/io/doctor';
import { machineFile, readMachine, writeMachine } from '../../../../mininet/io/machine-file';

const CAPACITY = { packetsPerSecond: { embedded: 100_000 }, frameBytes: 1500 };

describe('what the doctor has measured', () => {
  const before = process.env['XDG_STATE_HOME'];
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'state-'));
    process.env['XDG_STATE_HOME'] = folder;
  });

  afterEach(() => {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    fs.rmSync(folder, { recursive: true });
  });

  test("is kept with the user's state and read again", () => {
    expect(readMachine()).toBeUndefined();
    writeMachine(CAPACITY);
    expect(fs.readdirSync(path.join(folder, 'hpcc'))).toEqual(['machine.json']);
    expect(readMachine()).toEqual(CAPACITY);
  });

  test.each([false, true])('is kept only where the doctor is told to: %s', async (save) => {
    const capacity = [{ kind: 'embedded', packetsPerSecond: 9000, idle: 0.4, frameBytes: 1500 }];
    const report = { checks: [], cores: 2, idle: 0.9, capacity };
    const spy = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const programs = { hpcc: ['hpcc'], bmv2: 'bmv2', kind: 'embedded', separate: false } as const;
    const options = { asJson: false, realtime: false, save };
    await runDoctor(programs, options, () => JSON.stringify(report));
    const told = spy.mock.calls.join('');
    spy.mockRestore();
    expect(told).toContain(save ? 'saved: defaults of experiments follow' : 'nothing is saved');
    expect(readMachine()?.packetsPerSecond.embedded).toBe(save ? 9000 : undefined);
    expect(fs.readdirSync(folder)).toEqual(save ? ['hpcc'] : []);
  });

  test.each(['', 'relative/folder'])('is in the home where the variable is "%s"', (state) => {
    process.env['XDG_STATE_HOME'] = state;
    expect(machineFile()).toBe(path.join(os.homedir(), '.local/state/hpcc/machine.json'));
  });

  test('a place that cannot be written is named with the way out', () => {
    fs.writeFileSync(path.join(folder, 'hpcc'), 'a file');
    expect(() => writeMachine(CAPACITY)).toThrow(/hpcc.*: set XDG_STATE_HOME to a folder/);
  });

  test('a file of somebody else is named', () => {
    fs.mkdirSync(path.join(folder, 'hpcc'));
    fs.writeFileSync(machineFile(), '{"frameBytes": -1}');
    expect(readMachine).toThrow(/machine\.json is not what the doctor writes/);
  });
});
