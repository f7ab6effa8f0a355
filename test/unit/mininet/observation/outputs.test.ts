import { z } from 'zod';
import {
  agentFailure,
  parseJson,
  sendFailure,
  tcpSampleSchema,
} from '../../../../mininet/observation/outputs';
import { progressSchema } from '../../../../mininet/plan/run-files';

const schema = z.object({ a: z.number() });

describe('what processes of a run have written', () => {
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
