import * as fc from 'fast-check';
import { EntryList } from '../../../../switch/tables/entry-list';

interface Element {
  readonly name: number;
  place: number;
  written: { readonly name: number };
}

const named = (name: number): Element => ({ name, place: -1, written: { name } });

describe('a list of entries', () => {
  test('keeps the order in which they came, whatever leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 60 }), (steps) => {
        const list = new EntryList<Element['written'], Element>();
        const plain: Element[] = [];
        steps.forEach((choice, name) => {
          if (choice > 2 || plain.length === 0) {
            const element = named(name);
            list.add(element);
            plain.push(element);
          } else {
            const [gone] = plain.splice(choice % plain.length, 1);
            list.remove(gone as Element);
          }
        });
        expect([...list]).toEqual(plain);
        expect([...list.snapshot()]).toEqual(plain.map(({ written }) => written));
        expect(list.size).toBe(plain.length);
      }),
    );
  });

  test('closes its gaps, and elements leave from where they are then', () => {
    const list = new EntryList<Element['written'], Element>();
    const elements = Array.from({ length: 5000 }, (_, name) => named(name));
    elements.forEach((element) => list.add(element));
    elements.filter(({ name }) => name % 10 !== 0).forEach((element) => list.remove(element));
    expect(Math.max(...[...list].map(({ place }) => place))).toBeLessThan(2500);
    elements.filter(({ name }) => name % 20 === 0).forEach((element) => list.remove(element));
    expect([...list.snapshot()]).toEqual(
      Array.from({ length: 250 }, (_, i) => ({ name: 10 + 20 * i })),
    );
    list.clear();
    expect([list.size, ...list, ...list.snapshot()]).toEqual([0]);
  });

  test('stays small, however many elements come and go', () => {
    const list = new EntryList<Element['written'], Element>();
    const live = [named(0), named(1)];
    live.forEach((element) => list.add(element));
    for (let name = 2; name < 20_000; name++) {
      const next = named(name);
      list.add(next);
      live.push(next);
      list.remove(live.shift() as Element);
    }
    expect([...list]).toEqual(live);
    expect(Math.max(...live.map(({ place }) => place))).toBeLessThan(2048);
  });

  test('a snapshot stays as it is while elements change and leave', () => {
    const list = new EntryList<Element['written'], Element>();
    const [first, second] = [named(1), named(2)];
    [first, second].forEach((element) => list.add(element));
    const before = list.snapshot();
    list.show(second, { name: 20 });
    list.remove(first);
    expect([...before]).toEqual([{ name: 1 }, { name: 2 }]);
    expect([...list.snapshot()]).toEqual([{ name: 20 }]);
    expect(second.written).toEqual({ name: 20 });
  });

  test('snapshots of many elements differ only in what has changed between them', () => {
    const list = new EntryList<Element['written'], Element>();
    const elements = Array.from({ length: 3000 }, (_, name) => named(name));
    elements.forEach((element) => list.add(element));
    const all = elements.map(({ written }) => written);
    const [before, same] = [list.snapshot(), list.snapshot()];
    // Thousands of filters of one Read would otherwise remember a word per page of the table each.
    expect(same).toBe(before);
    list.show(elements[1500] as Element, { name: -1 });
    const between = list.snapshot();
    list.remove(elements[2999] as Element);
    expect([...before]).toEqual(all);
    expect([...same]).toEqual(all);
    expect([...between]).toEqual(all.with(1500, { name: -1 }));
    expect([...list.snapshot()]).toEqual(all.with(1500, { name: -1 }).slice(0, 2999));
  });
});
