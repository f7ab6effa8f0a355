import { COMPATIBLE_DEPARTURES } from '../support/p4runtime/compatible-departures';
import { traitsOf } from '../support/p4runtime/departures';
import { startEmbedded } from './embedded-target';
import { p4RuntimeConformance } from './p4runtime';

p4RuntimeConformance('the embedded switch', () => startEmbedded(), traitsOf({}));

describe('with --compatible bmv2', () => {
  const traits = traitsOf(COMPATIBLE_DEPARTURES);

  p4RuntimeConformance('the embedded switch', () => startEmbedded('bmv2'), traits);

  test('every departure that is taken over has been met', () => {
    expect(traits.unmet()).toEqual([]);
  });
});
