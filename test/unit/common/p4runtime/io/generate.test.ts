import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import { generateProtocol } from '../../../../../common/p4runtime/io/generate';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { describeIf, isOnPath } from '../../../../support/requires';

const COMMITTED = path.join(repositoryRoot(), 'common/p4runtime/generated');

function filesBelow(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => path.relative(folder, path.join(each.parentPath, each.name)))
    .sort();
}

describeIf(isOnPath('protoc'), 'generating the protocol', 'protoc is not on PATH', () => {
  let folder: string;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'p4runtime-'));
    generateProtocol(folder);
  });

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('the same files come out as are committed', () => {
    expect(filesBelow(folder)).toEqual(filesBelow(COMMITTED));
  });

  test('every file comes out as it is committed', () => {
    const changed = filesBelow(folder).filter((name) => {
      const [made, committed] = [folder, COMMITTED].map((each) =>
        fs.readFileSync(path.join(each, name), 'utf8'),
      );
      return made !== committed;
    });
    expect(changed).toEqual([]);
  });
});

describe('the protocol files', () => {
  test('every 64-bit field is a string in JavaScript', () => {
    const protoDir = path.join(repositoryRoot(), 'common/p4runtime/proto');
    const rounded = filesBelow(protoDir).flatMap((name) =>
      fs
        .readFileSync(path.join(protoDir, name), 'utf8')
        .split('\n')
        .filter((line) => /^\s*u?int64 /.test(line) && !line.includes('jstype = JS_STRING')),
    );
    expect(rounded).toEqual([]);
  });
});

describe('a generated message', () => {
  const inner = (): p4.Action => new p4.Action({ actionId: 7, params: [] });

  test('has its fields from messages inside, also when those change later', () => {
    const action = inner();
    const entry = new p4.TableEntry({ tableId: 1, action: new p4.TableAction({ action }) });
    action.params = [new p4.ActionParam({ paramId: 2, value: Uint8Array.of(9) })];
    const read = p4.TableEntry.deserialize(entry.serialize());
    expect(read.action.action.params.map(({ paramId, value }) => [paramId, ...value])).toEqual([
      [2, 9],
    ]);
  });

  test('keeps one of its alternatives', () => {
    const entity = new p4.Entity({ tableEntry: new p4.TableEntry({ tableId: 1 }) });
    entity.counterEntry = new p4.CounterEntry({ counterId: 5 });
    expect([entity.entity, entity.hasTableEntry]).toEqual(['counterEntry', false]);
    expect(p4.Entity.deserialize(entity.serialize()).counterEntry.counterId).toBe(5);
  });
});
