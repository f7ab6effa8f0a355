import * as fc from 'fast-check';
import { EntryList } from '../../../../switch/tables/entry-list';

interface Element {
  readonly name: number;
  place: number;
}

describe('a list of entries', () => {
  test('keeps the order in which they came, whatever leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 60 }), (steps) => {
        const list = new EntryList<Element>();
        const plain: Element[] = [];
        steps.forEach((choice, name) => {
          if (choice > 2 || plain.length === 0) {
            const element = { name, place: -1 };
            list.add(element);
            plain.push(element);
          } else {
            const [gone] = plain.splice(choice % plain.length, 1);
            list.remove(gone as Element);
          }
        });
        expect([...list]).toEqual(plain);
        expect(list.map(({ name }) => name)).toEqual(plain.map(({ name }) => name));
        expect(list.size).toBe(plain.length);
      }),
    );
  });

  test('closes its gaps, and elements leave from where they are then', () => {
    const list = new EntryList<Element>();
    const elements = Array.from({ length: 5000 }, (_, name) => ({ name, place: -1 }));
    elements.forEach((element) => list.add(element));
    elements.filter(({ name }) => name % 10 !== 0).forEach((element) => list.remove(element));
    expect(Math.max(...[...list].map(({ place }) => place))).toBeLessThan(2500);
    elements.filter(({ name }) => name % 20 === 0).forEach((element) => list.remove(element));
    expect(list.map(({ name }) => name)).toEqual(
      Array.from({ length: 250 }, (_, i) => 10 + 20 * i),
    );
    list.clear();
    expect([list.size, ...list]).toEqual([0]);
  });
});
