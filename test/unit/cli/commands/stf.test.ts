import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { programJsonPath, testPath } from '../../../p4/support/test-programs';
import { hpcc, hpccHere } from '../../../support/command-line';

const PROGRAM = programJsonPath('tbl_default');

describe('hpcc stf', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-stf-command-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  function file(text: string): string {
    const name = path.join(folder, 'a.stf');
    fs.writeFileSync(name, text);
    return name;
  }

  test.each(['interpreter', 'generated'])('prints pass and exits with 0, on %s', (executor) => {
    const name = testPath('tbl_default');
    const { status, stdout } = hpcc('stf', PROGRAM, name, '--executor', executor);
    expect([status, stdout]).toEqual([0, `${name}: pass\n`]);
  });

  test('prints the first difference with both byte strings and exits with 1', async () => {
    const name = file('packet 0 00 0000 0000 0000\nexpect 1 FF');
    const { status, stdout } = await hpccHere('stf', PROGRAM, name);
    const message =
      `${name}:2: packet 1 at port 1 differs from digit 1 on:\n` +
      '  wanted FF\n  found  00000056781234\n';
    expect([status, stdout]).toEqual([1, message]);
  });

  test.each([
    ['packet', 'a.stf:1: wanted a port (decimal) before the data, found the end of the statement'],
    ['wait\nsetdefault nothing a()', "a.stf:2: wanted a table, found 'nothing'"],
  ])('says what is wrong with a test and exits with 2: %j', async (text, reason) => {
    const { status, stderr } = await hpccHere('stf', PROGRAM, file(text));
    expect(status).toBe(2);
    expect(stderr).toContain(reason);
  });

  test('exits with 2 when a file is missing or is no program', async () => {
    const name = testPath('tbl_default');
    expect(await hpccHere('stf', path.join(folder, 'none.json'), name)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('none.json') as string,
    });
    expect(await hpccHere('stf', name, name)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('wanted the BMv2 JSON') as string,
    });
  });

  test('prints what was read aside of the verdict', async () => {
    const name = file('register_write cells 2 7\nregister_read cells 2');
    const { status, stderr } = await hpccHere('stf', programJsonPath('registers'), name);
    expect([status, stderr]).toEqual([0, 'TestIngress.cells(2): 7\n']);
  });
});
