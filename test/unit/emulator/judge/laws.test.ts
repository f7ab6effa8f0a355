import type { Evidence } from '../../../../emulator/judge/evidence';
import { LAWS } from '../../../../emulator/judge/laws';
import type { Finding } from '../../../../emulator/judge/laws';
import { PLAIN } from '../../../../emulator/judge/trial-space';
import { workUs } from '../../../../emulator/judge/trial';

/** A run of two long flows that broke no law. */
const SOUND: Evidence = {
  baseRttUs: 2.5,
  bdpBytes: 31_250,
  endUs: 1.1 * workUs(PLAIN),
  unfinished: 0,
  togetherUs: 4000,
  lateJain: 0.99,
  fairAfterUs: 100,
  leastShare: 0.9,
  lateQueueBytes: 20_000,
  drops: 0,
};

const brokenBy = (finding: Finding, claims = {}): string[] =>
  LAWS.filter(({ breach }) => breach(PLAIN, finding, claims) !== undefined).map(({ name }) => name);

describe('laws of congestion control', () => {
  test('a sound run breaks none', () => {
    expect(brokenBy({ evidence: SOUND })).toEqual([]);
  });

  test.each<[law: string, change: Partial<Evidence>]>([
    ['no collapse', { endUs: 4 * workUs(PLAIN) }],
    ['no collapse', { unfinished: 1 }],
    ['no starvation', { leastShare: 0.04 }],
    ['convergence', { fairAfterUs: null }],
    ['convergence', { fairAfterUs: 600 }],
    ['fairness', { lateJain: 0.6 }],
    ['bounded queue', { lateQueueBytes: 300_000 }],
  ])('%s, and no other, is broken by %j', (law, change) => {
    expect(brokenBy({ evidence: { ...SOUND, ...change } })).toEqual([law]);
  });

  test('code that goes wrong breaks the first law alone', () => {
    expect(brokenBy({ failure: 'onAck threw' })).toEqual(['runs']);
  });

  test('queues may be as long as the marks that an algorithm asks for', () => {
    const evidence = { ...SOUND, lateQueueBytes: 600_000 };
    const marking = { minBytes: 300_000, maxBytes: 300_000, maxProbability: 1 };
    expect(brokenBy({ evidence }, { marking })).toEqual([]);
  });

  test('what flows share is not looked at where they were hardly together', () => {
    const short = { ...SOUND, togetherUs: 200, leastShare: 0, lateJain: 0.5, fairAfterUs: null };
    expect(brokenBy({ evidence: short })).toEqual([]);
  });
});
