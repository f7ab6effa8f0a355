import { z } from 'zod';
import {
  agentFailure,
  parseJson,
  parseJsonLines,
  sendFailure,
  tcpSampleSchema,
} from '../../../../mininet/observation/outputs';
import { progressSchema } from '../../../../mininet/plan/run-files';

const schema = z.object({ a: z.number() });

describe('what processes of a run have written', () => {
  test('lines of JSON are read, and a last line that was cut off is left out', () => {
    expect(parseJsonLines('{"a":1}\n{"a":2,"b":0}\n{"a":3', 'f', schema)).toEqual([
      { a: 1 },
      { a: 2 },
    ]);
    expect(parseJsonLines('', 'f', schema)).toEqual([]);
  });

  test.each([
    ['{"a":1}\n{"a":"x"}\n', 'f:2: a: '],
    ['{"a":1}\nnonsense\n', 'f:2: wanted JSON'],
  ])('a fault in %j is named with its line', (text, message) => {
    expect(() => parseJsonLines(text, 'f', schema)).toThrow(message);
  });

  test('a fault of a document is named with its place', () => {
    expect(() => parseJson('{"a":[]}', 'run.json', schema)).toThrow('run.json: a: ');
  });

  test('a sender without a report has said why', () => {
    expect(sendFailure('{"error": "./mine.mjs: onAck threw: x"}', 'f')).toBe(
      './mine.mjs: onAck threw: x',
    );
    expect(sendFailure('{"sent": {}}', 'f')).toBeUndefined();
    expect(agentFailure('{"level":"info"}\nhpcc: no key\n{"level":"info"}\n')).toBe('hpcc: no key');
    expect(agentFailure('{"level":"info","msg":"hpcc: x"}\n')).toBeUndefined();
  });

  test('samples of TCP that nothing controls have no rate', () => {
    const sample = { t: 1, flow: 'x', rateBps: null, queueBytes: 0, rttUs: 5, role: 'measure' };
    expect(tcpSampleSchema.parse(sample)).toMatchObject({ rateBps: null });
  });

  test('progress that the contract does not know is refused', () => {
    expect(progressSchema.safeParse({ event: 'ready', seconds: 0 }).success).toBe(true);
    expect(progressSchema.safeParse({ event: 'lunch', seconds: 0 }).success).toBe(false);
  });
});
