import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { encodeTofinoConfig } from '../../../../controller/io/tofino-program';
import { ProgramFiles } from '../../../../controller/io/program-files';
import { FABRIC_FILES } from '../../../support/controller/fabric-program';

const CONF = {
  p4_devices: [
    {
      'device-id': 0,
      p4_programs: [
        {
          'program-name': 'hpcc',
          'bfrt-config': 'hpcc.tofino/bf-rt.json',
          p4_pipelines: [
            {
              p4_pipeline_name: 'pipe',
              context: 'hpcc.tofino/pipe/context.json',
              config: 'hpcc.tofino/pipe/tofino.bin',
              pipe_scope: [0, 1],
            },
          ],
        },
      ],
    },
  ],
};

describe('what a compiler for Tofino has written', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tofino-'));
  const program = { p4info: FABRIC_FILES.p4info, conf: 'hpcc.conf' };

  beforeEach(() => {
    fs.mkdirSync(path.join(folder, 'hpcc.tofino/pipe'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'hpcc.conf'), JSON.stringify(CONF));
    fs.writeFileSync(path.join(folder, 'hpcc.tofino/bf-rt.json'), '{"tables": []}');
    fs.writeFileSync(path.join(folder, 'hpcc.tofino/pipe/context.json'), '{}');
    fs.writeFileSync(path.join(folder, 'hpcc.tofino/pipe/tofino.bin'), Uint8Array.of(0, 255, 7));
  });

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('becomes the device configuration of Stratum, with the files that the .conf names', async () => {
    const { name, pipeline } = await new ProgramFiles(folder).load(program);
    expect(name).toBe('hpcc.conf');
    expect(Buffer.from(pipeline.deviceConfig)).toEqual(
      Buffer.from(
        encodeTofinoConfig({
          name: 'hpcc',
          bfrt: Buffer.from('{"tables": []}'),
          pipelines: [
            {
              name: 'pipe',
              context: Buffer.from('{}'),
              binary: Uint8Array.of(0, 255, 7),
              pipes: [0, 1],
            },
          ],
        }),
      ),
    );
  });

  test('is refused by the name of a file that is missing', async () => {
    fs.rmSync(path.join(folder, 'hpcc.tofino/pipe/tofino.bin'));
    await expect(new ProgramFiles(folder).load(program)).rejects.toThrow(
      /cannot read .*tofino\.bin: ENOENT/,
    );
  });

  test('is refused by the place in a .conf that describes no program', async () => {
    fs.writeFileSync(path.join(folder, 'hpcc.conf'), '{"p4_devices": []}');
    await expect(new ProgramFiles(folder).load(program)).rejects.toThrow(/hpcc\.conf: p4_devices/);
    fs.writeFileSync(path.join(folder, 'hpcc.conf'), 'p4_devices');
    await expect(new ProgramFiles(folder).load(program)).rejects.toThrow(/which is JSON/);
  });
});
