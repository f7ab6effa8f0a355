import { bmv2Available } from '../support/bmv2-process';
import { BMV2_DEPARTURES } from '../support/p4runtime/bmv2-departures';
import { traitsOf } from '../support/p4runtime/departures';
import { describeIf } from '../support/requires';
import { startBmv2Target } from './bmv2-target';
import { p4RuntimeConformance } from './p4runtime';
import type { P4RuntimeTarget } from './p4runtime-target';

// Longer than starting bmv2 may take, for a test that gives up would leave the process behind.
describeIf(bmv2Available(), 'bmv2', 'simple_switch_grpc is not on PATH', () => {
  const traits = traitsOf(BMV2_DEPARTURES);
  let shared: P4RuntimeTarget | undefined;

  afterAll(() => shared?.stop());

  p4RuntimeConformance(
    'bmv2',
    async (wish) => {
      if (wish === 'blank') return startBmv2Target();
      shared ??= await startBmv2Target();
      return { ...shared, stop: () => Promise.resolve() };
    },
    traits,
  );

  test('every known departure has been met', () => {
    expect(traits.unmet()).toEqual([]);
  });
});
