import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../common/io/repository';

/** A file of p4src/artifacts/tna. */
export const tnaArtifact = (name: string): string =>
  path.join(repositoryRoot(), 'p4src/artifacts/tna', name);

/** The tables in the words of the driver, which nothing here reads. */
export const BFRT = '{"schema_version": "1.0.0", "tables": []}';
export const CONTEXT = '{"program_name": "hpcc"}';
export const BINARY = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
export const PIPES: readonly number[] = [0, 1, 2, 3];

const CONF = {
  p4_devices: [
    {
      p4_programs: [
        {
          'program-name': 'hpcc',
          'bfrt-config': 'bf-rt.json',
          p4_pipelines: [
            {
              p4_pipeline_name: 'pipe',
              context: 'context.json',
              config: 'tofino.bin',
              pipe_scope: PIPES,
            },
          ],
        },
      ],
    },
  ],
};

/** `hpcc` as the compiler leaves it, but for the binary: that is the chip's. */
export function compilerOutput(folder: string): void {
  fs.writeFileSync(path.join(folder, 'bf-rt.json'), BFRT);
  fs.copyFileSync(tnaArtifact('hpcc.tofino.p4info.txtpb'), path.join(folder, 'hpcc.p4info.txtpb'));
  fs.writeFileSync(path.join(folder, 'hpcc.conf'), JSON.stringify(CONF));
  fs.writeFileSync(path.join(folder, 'context.json'), CONTEXT);
  fs.writeFileSync(path.join(folder, 'tofino.bin'), BINARY);
}
