import type { Random } from '../../common/random/random';
import type { ScenarioInput } from '../../emulator/scenario/schema';
import { oneOf } from './one-of';

type Parameters = NonNullable<ScenarioInput['parameters']>;

const CHANGES: readonly Parameters[] = [
  {},
  {},
  { lossRecovery: 'selective-repeat', queueCapacityBytes: 40_000 },
  { sourceRerouting: 'on' },
  { feedback: 'probe' },
  { feedback: 'notification' },
  { feedback: 'receiver' },
  { ackEvery: 4 },
  { framing: 'rocev2', mss: 1024 },
  { framing: 'rocev2', operation: 'read', mss: 1024 },
];

/** Switches that coordinate, and say so often enough to be heard in a short run. */
export function randomCoordination(random: Random): Partial<ScenarioInput> {
  const [highBytes, lowBytes] = oneOf(random, [
    [8000, 2000],
    [25_000, 10_000],
  ] as const);
  return {
    profile: 'hpcc-ccm',
    coordination: {
      mode: oneOf(random, ['coordinated', 'coordinated', 'adaptive', 'ecmp']),
      balancing: oneOf(random, ['adaptive', 'adaptive', 'spray']),
      highBytes,
      lowBytes,
      interval: '3 us',
      releaseAfter: oneOf(random, ['2 us', '8 us']),
      holdTime: oneOf(random, ['6 us', '25 us']),
      ...(random.below(2) === 0 && { loadWindow: '8 us' }),
      key: { id: 1, bytes: '000102030405060708090a0b0c0d0e0f' },
    },
    parameters: oneOf(random, CHANGES),
    ...(random.below(3) === 0 && { notificationFaults: randomFaults(random) }),
  };
}

function randomFaults(random: Random): NonNullable<ScenarioInput['notificationFaults']> {
  const [loss, duplicate, reorder, forge, replay] = Array.from(
    { length: 5 },
    () => random.below(3) * 0.2,
  );
  return { loss, duplicate, reorder, forge, replay, delayUs: 5 };
}
