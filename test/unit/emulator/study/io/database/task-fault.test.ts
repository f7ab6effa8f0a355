import * as crypto from 'node:crypto';
import { taskFault } from '../../../../../../emulator/study/io/database/task-fault';

const input = '{"seed":1}';
const cell = crypto.createHash('sha256').update(input).digest('hex');
const limits = { memoryMb: 64, timeoutSeconds: 1 };
const TASK = { cell, input, limits };

test('a row that is what its id is the digest of is a task', () => {
  expect(taskFault({ ...TASK, job: 'x' })).toBeUndefined();
});

test.each([
  ['another input', { ...TASK, input: '{"seed":2}' }, 'its id is not the digest of its input'],
  ['a path for an id', { ...TASK, cell: '../../../etc/passwd' }, 'must be 64 hexadecimal digits'],
  ['no input', { cell, limits }, 'input'],
  ['no limits', { cell, input }, 'limits'],
  ['time without end', { ...TASK, limits: { ...limits, timeoutSeconds: 1e9 } }, 'timeoutSeconds'],
  ['nothing', null, 'is no cell'],
])('attack 7: a row with %s is refused with a reason', (_name, row, reason) => {
  expect(taskFault(row)).toContain(reason);
});
