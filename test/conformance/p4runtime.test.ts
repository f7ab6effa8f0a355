import { startEmbedded } from './embedded-target';
import { p4RuntimeConformance } from './p4runtime';
import { BMV2_DEPARTURES } from '../support/p4runtime/bmv2-departures';
import { traitsOf } from '../support/p4runtime/departures';
import type { Departures } from '../support/p4runtime/departures';

/** In what `--compatible bmv2` answers as bmv2 does; in all else it follows the specification. */
const TAKEN_OVER: readonly string[] = [
  'a P4Info of another program',
  'the cookie after a P4Info of another program',
  'the standing after a repeated bid',
  'a bid without an id',
  'a write without an id',
  'a bid of zero after a bid without an id',
  'the standing after the primary has left',
  'a write of a backup without a primary',
  'the standing of a primary that bids lower',
  'the standing of a backup when the primary bids lower',
  'an equal bid for another role',
  'a write of another role',
  'a change of role',
  'a packet of a backup',
  'a packet before the first program',
  'the packet in a refusal',
  'the digest list in a refusal',
  'a value that is empty',
  'an entry with the full range',
];

const COMPATIBLE_DEPARTURES: Departures = Object.fromEntries(
  Object.entries(BMV2_DEPARTURES).filter(([respect]) => TAKEN_OVER.includes(respect)),
);

p4RuntimeConformance('the embedded switch', () => startEmbedded(), traitsOf({}));

describe('with --compatible bmv2', () => {
  const traits = traitsOf(COMPATIBLE_DEPARTURES);

  p4RuntimeConformance('the embedded switch', () => startEmbedded('bmv2'), traits);

  test('every departure that is taken over has been met', () => {
    expect(traits.unmet()).toEqual([]);
  });
});
