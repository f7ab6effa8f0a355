import { comparisonRow } from '../../../../emulator/record/comparison';
import { RESULT } from '../../../support/result';

describe('a row of a comparison', () => {
  test('relates feedback to the time that flows lasted, in base RTTs', () => {
    const result = {
      ...RESULT,
      parameters: { baseRttNs: 1000 },
      traffic: { ...RESULT.traffic, feedback: { packets: 21, bytes: 900 } },
    };
    // One flow lasted 4.2 us; the other one did not finish within the run of 4.2 us.
    expect(comparisonRow('x', result)).toMatchObject({
      variant: 'x',
      queueP99Bytes: 1106,
      fctUs: { min: 4.2, median: 4.2, max: 4.2 },
      feedbackPackets: 21,
      feedbackBytes: 900,
      feedbackPerRtt: 2.5,
      violations: 0,
    });
  });
});
