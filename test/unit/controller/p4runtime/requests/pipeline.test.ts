import * as fs from 'node:fs';
import {
  compiledPipeline,
  loadPipeline,
} from '../../../../../controller/p4runtime/requests/pipeline';
import { FABRIC_FILES } from '../../../../support/controller/fabric-program';

describe('loading a pipeline', () => {
  test('files are read by their suffix', async () => {
    const pipeline = await loadPipeline(FABRIC_FILES.p4info, FABRIC_FILES.config);
    expect(pipeline.p4info.tables).toHaveLength(6);
    expect(Buffer.from(pipeline.deviceConfig)).toEqual(fs.readFileSync(FABRIC_FILES.config));
  });

  test('a missing file and a broken one are named', async () => {
    await expect(loadPipeline('/nowhere/x.p4info.txt', 'x.json')).rejects.toThrow(
      /^cannot read \/nowhere\/x\.p4info\.txt: ENOENT/,
    );
    await expect(loadPipeline(FABRIC_FILES.config, FABRIC_FILES.config)).rejects.toThrow(
      /fabric\.json: \$\.header_types: p4\.config\.v1\.P4Info has no such field$/,
    );
  });

  test('committed artefacts are P4Info in JSON and BMv2 JSON', () => {
    const p4info = JSON.stringify({ tables: [{ preamble: { id: 1, name: 't' } }] });
    const pipeline = compiledPipeline({ deviceConfig: '{}', p4info });
    expect(pipeline.p4info.tables[0]?.preamble.name).toBe('t');
    expect([...pipeline.deviceConfig]).toEqual([0x7b, 0x7d]);
  });
});
