import { LoopWatch } from '../../../../emulator/coordination/loop-watch';
import type { Traveller } from '../../../../emulator/coordination/loop-watch';

const DATA: Traveller = { kind: 'data', packet: 5 };
const NOTIFICATION: Traveller = {
  kind: 'notification',
  sender: 7,
  sequence: { high: 1, low: 5 },
};

describe.each([
  ['data', DATA, 'packet 5'],
  ['notifications', NOTIFICATION, 'notification 5 of node 7'],
])('the watch for loops of %s', (_what, traveller, name) => {
  function pass(...switches: readonly string[]) {
    const faults: string[] = [];
    const watch = new LoopWatch((text) => faults.push(text));
    for (const node of switches) {
      if (node === 'end') watch.left(traveller);
      else if (node === 'change') watch.routesChanged();
      else watch.arrived(node, traveller);
    }
    return faults;
  }

  it('is content with a way that passes each switch once', () => {
    expect(pass('a', 'b', 'c', 'end')).toEqual([]);
  });

  it('reports the switch that is passed again', () => {
    expect(pass('a', 'b', 'a', 'end')).toEqual([`a: ${name} has been here before`]);
  });

  it('lets a packet be turned back by new routes, and not twice by these', () => {
    expect(pass('a', 'b', 'change', 'a', 'c')).toEqual([]);
    expect(pass('a', 'b', 'change', 'a', 'b', 'a')).toEqual([`a: ${name} has been here before`]);
  });

  it('forgets what has reached its end', () => {
    expect(pass('a', 'b', 'end', 'a', 'b')).toEqual([]);
  });
});

describe('the watch for loops', () => {
  it('tells packets apart', () => {
    const faults: string[] = [];
    const watch = new LoopWatch((text) => faults.push(text));
    for (const packet of [1, 2, 3]) watch.arrived('a', { kind: 'data', packet });
    watch.arrived('a', NOTIFICATION);
    watch.arrived('a', { ...NOTIFICATION, sender: 8 });
    expect(faults).toEqual([]);
  });
});
