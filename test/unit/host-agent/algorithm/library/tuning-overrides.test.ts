import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import { tuningFromOverrides } from '../../../../../host-agent/algorithm/library/tuning-overrides';
import { acknowledgement, hopRecord } from '../../../../support/telemetry';

describe('what is asked of any algorithm', () => {
  test('is tuning of HPCC++, and constants of others', () => {
    const asked = { targetUtilization: 0.8, maxStage: 2, expectedFlows: undefined };
    const values = { targetUtilization: 0.8, maxStage: 2 };
    expect(tuningFromOverrides('hpccpp', asked)).toEqual(values);
    expect(tuningFromOverrides('hpcc', asked)).toEqual({ constants: values });
    expect(tuningFromOverrides('./mine.mjs', asked)).toEqual({ constants: values });
    expect(tuningFromOverrides('swift', {})).toEqual({ constants: {} });
  });

  test.each([
    ['powertcp', { targetUtilization: 0.8 }, "powertcp has no constant 'targetUtilization'"],
    ['dcqcn', { maxStage: 0 }, "dcqcn has no constant 'maxStage'"],
    ['hpccpp-lean', { additiveIncreaseBytes: 80 }, "no constant 'additiveIncreaseBytes'"],
    ['none', { expectedFlows: 5 }, "none has no constant 'expectedFlows'; it has: none"],
    ['nope', { expectedFlows: 5 }, "no algorithm 'nope'"],
  ])('is refused where %s has no such constant', (name, asked, message) => {
    expect(() => tuningFromOverrides(name, asked)).toThrow(message);
  });
});

describe.each(['hpcc', 'hpccpp-lean'])('the longest path of %s', (name) => {
  const environment = { linkRate: 100e9, baseRtt: 8_000_000 };
  const nine = Array.from({ length: 9 }, (_, i) => hopRecord({ switchId: i + 1 }));
  const firstOf = (tuning: object) =>
    algorithmNamed(name)
      .factory(tuning)(environment)
      .onAck(acknowledgement({ telemetry: nine }));

  test.each([
    ['eight links', {}, 'ignored'],
    ['what packets have room for', { maxHops: 9 }, 'first'],
    ['what its constant says', { maxHops: 9, constants: { maxHops: 8 } }, 'ignored'],
    ['what its constant says, if that is more', { constants: { maxHops: 9 } }, 'first'],
  ])('is %s', (_what, tuning, kind) => {
    expect(firstOf(tuning)).toBe(kind);
  });
});

describe('what interfaces need of hpccpp-lean', () => {
  const US = 1_000_000;
  const environment = { linkRate: 100e9, baseRtt: 8 * US };

  /** U after bursts that fill one link and then the other, 16 times within each T. */
  function outcome(tuning: object) {
    const control = algorithmNamed('hpccpp-lean').factory(tuning)(environment);
    const sent = [0, 0];
    for (let i = 1; i <= 64; i++) {
      sent[i % 2] = (sent[i % 2] ?? 0) + 12_000;
      const telemetry = sent.map((txBytes, at) =>
        hopRecord({ switchId: at + 1, timestamp: i * 1000, txBytes, sojournNs: 900 }),
      );
      const sequences = { ackSequence: i * 20_000, nextSequence: i * 20_000 + 1000 };
      control.onAck(acknowledgement({ ...sequences, telemetry, now: i * US }));
    }
    return control.metrics();
  }

  test.each([
    ['rounds of T at least', { roundsLastT: true }],
    ['an average of each link', { averagesLinks: true }],
    ['a share of the queue', { queueShare: 0.5 }],
  ])('it has: %s', (_what, tuning) => {
    const [with_, without] = [outcome(tuning), outcome({})];
    expect(with_).not.toEqual(without);
    expect(with_.acksProcessed).toBe(without.acksProcessed);
  });

  test('its own law stays, whatever the host would tune', () => {
    const asked = { targetUtilization: 0.5, maxStage: 5, expectedFlows: 3, latestQueueFrom: 9 };
    expect(outcome(asked)).toEqual(outcome({}));
  });
});
