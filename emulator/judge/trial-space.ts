import type { Random } from '../../common/random/random';
import { FLOWS_MAX, lastStartUs, workUs } from './trial';
import type { Trial } from './trial';

/** Trial that others differ from: two long flows that begin together on one switch. */
export const PLAIN: Trial = {
  flows: 2,
  bytes: 5_000_000,
  gapUs: 0,
  delayNs: 500,
  rateGbps: 100,
  lossRate: 0,
  isSprayed: false,
  seed: 1,
};

/** Trials that every algorithm goes through, each for something that algorithms have been found to do wrong. */
export const FIXED_TRIALS: readonly Trial[] = [
  { ...PLAIN, flows: 1, bytes: 100_000 },
  { ...PLAIN, flows: 1 },
  PLAIN,
  { ...PLAIN, gapUs: 100 },
  { ...PLAIN, flows: 4, bytes: 2_500_000, gapUs: 50 },
  { ...PLAIN, flows: 16, bytes: 60_000 },
  { ...PLAIN, flows: 16, bytes: 700_000 },
  { ...PLAIN, lossRate: 0.001 },
  { ...PLAIN, delayNs: 5000, bytes: 8_000_000 },
  { ...PLAIN, rateGbps: 25, bytes: 1_500_000, gapUs: 50 },
  { ...PLAIN, isSprayed: true },
  { ...PLAIN, flows: 8, bytes: 600_000, isSprayed: true },
];

const one = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[random.below(values.length)] ?? values[0];

/** Most payload of all flows of a trial together, so that none takes longer than a second. */
const PAYLOAD_MAX = 12_000_000;

/** A trial by chance. */
export function randomTrial(random: Random): Trial {
  const flows = one(random, [1, 2, 2, 3, 4, 6, 8, 12, FLOWS_MAX]);
  const most = Math.floor(PAYLOAD_MAX / flows / 1000);
  return {
    flows,
    bytes: 1000 * Math.max(1, Math.round(most ** random.uniform())),
    gapUs: one(random, [0, 0, 5, 20, 100]),
    delayNs: one(random, [100, 500, 500, 1000, 5000]),
    rateGbps: one(random, [25, 100, 100, 400]),
    lossRate: one(random, [0, 0, 0, 0.0001, 0.001]),
    isSprayed: random.below(3) === 0,
    seed: 1 + random.below(1000),
  };
}

/** Shortness of a trial: what it takes to look at a run of it. Less is shorter. */
export const lengthOf = (trial: Trial): number =>
  lastStartUs(trial) +
  workUs(trial) +
  trial.flows +
  [trial.lossRate > 0, trial.isSprayed, trial.gapUs > 0].filter(Boolean).length;

/** Trials that are shorter than one, those that are much shorter first. */
export function shorterTrials(trial: Trial): Trial[] {
  const { flows, bytes, gapUs, lossRate, isSprayed } = trial;
  const kilobytes = (share: number): number => 1000 * Math.ceil((bytes * share) / 1000);
  const changes: Partial<Trial>[] = [
    { flows: 1 },
    { flows: 2 },
    { bytes: kilobytes(0.1) },
    { flows: Math.ceil(flows / 2) },
    { bytes: kilobytes(0.5) },
    ...(isSprayed ? [{ isSprayed: false }] : []),
    ...(lossRate > 0 ? [{ lossRate: 0 }] : []),
    ...(gapUs > 0 ? [{ gapUs: 0 }, { gapUs: Math.floor(gapUs / 2) }] : []),
    { flows: flows - 1 },
    { bytes: kilobytes(0.8) },
  ];
  return changes
    .map((change) => ({ ...trial, ...change }))
    .filter((shorter) => shorter.flows >= 1 && lengthOf(shorter) < lengthOf(trial));
}
