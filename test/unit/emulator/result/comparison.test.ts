import { comparisonRow } from '../../../../emulator/result/comparison';
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

  test('has the fairness at the end of half a millisecond behind each join', () => {
    const flow = RESULT.flows[0];
    if (flow === undefined) throw new Error('the result has flows');
    const flows = [0, 0, 600, 1200].map((startUs) => ({ ...flow, startUs }));
    const jainTimeline = [
      ...[550, 600, 1000, 1050, 1100, 1650, 1700].map((startUs) => ({
        startUs,
        endUs: startUs + 50,
        jain: startUs / 10_000,
      })),
    ];
    // The last intervals before 1100 and 1700 us begin at 1050 and 1650.
    expect(comparisonRow('x', { ...RESULT, flows, jainTimeline }).jainAfterJoins).toBe(0.105);
    expect(comparisonRow('x', { ...RESULT, flows: [flow] }).jainAfterJoins).toBeNull();
  });

  test('adds up what switches answered and hosts refused', () => {
    const counters = {
      ...RESULT.counters,
      hostRejections: { unauthenticated: 2, replayed: 3 },
      telemetryRejections: { implausible: 5 },
      programs: {
        's1: egress.feedback.outcomes[1]': 100,
        's1: egress.feedback.outcomes[2]': 7,
        's2: egress.feedback.outcomes[2]': 8,
      },
    };
    expect(comparisonRow('x', { ...RESULT, counters })).toMatchObject({
      switchResponses: 15,
      refused: 10,
      unfinished: 1,
    });
  });
});
