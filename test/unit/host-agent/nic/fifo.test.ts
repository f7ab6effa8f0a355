import * as fc from 'fast-check';
import { Fifo } from '../../../../host-agent/nic/fifo';

describe('a first-in first-out queue', () => {
  it('is empty at first', () => {
    const fifo = new Fifo<number>();
    expect(fifo.isEmpty).toBe(true);
    expect(fifo.take()).toBeUndefined();
  });

  it('behaves like an array that is pushed and shifted', () => {
    const operations = fc.array(fc.oneof(fc.nat(), fc.constant('take' as const)), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(operations, (list) => {
        const [fifo, model] = [new Fifo<number>(), [] as number[]];
        const [taken, expected]: (number | undefined)[][] = [[], []];
        for (const operation of list) {
          if (operation === 'take') {
            taken?.push(fifo.take());
            expected?.push(model.shift());
          } else {
            fifo.push(operation);
            model.push(operation);
          }
        }
        expect(taken).toEqual(expected);
        expect(fifo.isEmpty).toBe(model.length === 0);
      }),
    );
  });

  it('keeps its order while taken items are dropped', () => {
    const fifo = new Fifo<number>();
    for (let i = 0; i < 1000; i++) fifo.push(i);
    for (let i = 0; i < 1000; i++) expect(fifo.take()).toBe(i);
    expect(fifo.isEmpty).toBe(true);
  });
});
