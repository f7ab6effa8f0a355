import { Random } from '../../../../common/random/random';
import { ArrivalTable } from '../../../../emulator/record/arrival-table';

test('an arrival is known by its packet until it is taken', () => {
  const table = new ArrivalTable();
  const id = 7 + 2 ** 40;
  table.add(id, 1, 5e12);
  table.add(7, 2, 6e12);
  expect([table.take(id), table.takenAt]).toEqual([1, 5e12]);
  expect(table.take(id)).toBeUndefined();
  expect([table.take(7), table.takenAt]).toEqual([2, 6e12]);
});

test('the latest arrival of a packet counts', () => {
  const table = new ArrivalTable();
  table.add(3, 1, 10);
  table.add(3, 2, 20);
  expect([table.take(3), table.takenAt]).toEqual([2, 20]);
  expect(table.take(3)).toBeUndefined();
});

test('any number of arrivals is as in a map, whatever comes and goes', () => {
  const random = new Random(1);
  const table = new ArrivalTable();
  const map = new Map<number, number>();
  for (let order = 0; order < 20_000; order++) {
    // Ids of hosts: few numbers, and steps beyond 31 bits.
    const id = Math.floor(random.uniform() * 8) + 2 ** 17 * Math.floor(random.uniform() * 500);
    if (random.uniform() < 0.55) {
      table.add(id, order, order);
      map.set(id, order);
    } else {
      expect(table.take(id)).toBe(map.get(id));
      map.delete(id);
    }
  }
  expect(map.size).toBeGreaterThan(1000);
  for (const [id, order] of map) expect(table.take(id)).toBe(order);
});
