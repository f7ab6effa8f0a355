import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import { generateThrift, THRIFT_VERSION, thriftVersion } from '../../../../support/thrift-compiler';
import { THRIFT_FOLDER } from '../../../../../common/thrift/io/generated-code';
import { describeIf } from '../../../../support/requires';

const found = thriftVersion();

const readAll = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder)
      .sort()
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]),
  );

describeIf(
  found?.startsWith(`${THRIFT_VERSION}.`) === true,
  'the committed Thrift code',
  `needs the Thrift compiler ${THRIFT_VERSION} on PATH, found ${found ?? 'none'}`,
  () => {
    test('is what the compiler makes of our interface files', () => {
      const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-thrift-'));
      try {
        generateThrift(out);
        const committed = path.join(repositoryRoot(), THRIFT_FOLDER, 'generated');
        const [made, kept] = [readAll(out), readAll(committed)];
        expect(Object.keys(made)).toEqual(Object.keys(kept));
        expect(Object.keys(made).filter((name) => made[name] !== kept[name])).toEqual([]);
      } finally {
        fs.rmSync(out, { recursive: true });
      }
    });
  },
);
