import { csvFiles } from '../../../../emulator/result/csv';
import { resultSchema } from '../../../../emulator/result/result';
import { RESULT } from '../../../support/result';

describe('the CSV files of a result', () => {
  const files = new Map([...csvFiles(RESULT)].map(([name, lines]) => [name, [...lines].join('')]));

  test('name their columns and have one row per sample', () => {
    expect(files.get('queue.csv')).toBe('time_us,queue_bytes\n0,0\n0.1,1106\n0.2,0\n');
  });

  test('leave a cell empty for a flow that did not finish', () => {
    expect(files.get('flows.csv')?.split('\n')[2]).toBe('2,h2,h1,1000,1,,');
  });

  test('have one row per flow and sampled instant', () => {
    expect(files.get('rates.csv')).toBe(
      'flow,time_us,rate_gbps,window_bytes,u,delivered_bytes\n' +
        '1,0,100,52000,1,0\n1,1,95,49400,1,1000\n',
    );
  });
});

describe('the schema of results', () => {
  test('accepts a result and refuses one of another version', () => {
    expect(resultSchema.safeParse(RESULT).success).toBe(true);
    expect(resultSchema.safeParse({ ...RESULT, schema: 'hpcc-result/0' }).success).toBe(false);
  });
});
