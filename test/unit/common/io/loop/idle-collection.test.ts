import { IdleCollection } from '../../../../../common/io/loop/idle-collection';

const MB = 1024 * 1024;

/** A heap of so many megabytes, of which collections leave 20. */
function heapOf(megabytes: number) {
  const heap = {
    megabytes,
    collections: 0,
    trims: 0,
    used: () => heap.megabytes * MB,
    collect: () => {
      heap.collections++;
      heap.megabytes = 20;
    },
    trim: () => {
      heap.trims++;
    },
  };
  return heap;
}

test('garbage is collected when no packets have come for five seconds', () => {
  const heap = heapOf(40);
  const collection = new IdleCollection(heap);
  heap.megabytes = 100;
  for (let now = 0; now <= 20_000; now += 100) collection.look(now, true);
  collection.look(24_999, false);
  expect(heap.collections).toBe(0);
  collection.look(25_000, false);
  expect(heap.collections).toBe(1);
});

test('only when it is worth it, and no more often', () => {
  const heap = heapOf(40);
  const collection = new IdleCollection(heap);
  for (let now = 0; now <= 30_000; now += 100) collection.look(now, false);
  expect(heap.collections).toBe(0);
  heap.megabytes = 56;
  for (let now = 30_000; now <= 60_000; now += 100) collection.look(now, false);
  expect(heap.collections).toBe(1);
  heap.megabytes = 35.9;
  for (let now = 60_000; now <= 120_000; now += 100) collection.look(now, false);
  expect(heap.collections).toBe(1);
  heap.megabytes = 36;
  collection.look(124_900, false);
  expect(heap.collections).toBe(1);
  collection.look(125_000, false);
  expect(heap.collections).toBe(2);
});

test('freed memory goes back once after the start, and after each collection', () => {
  const heap = heapOf(40);
  const collection = new IdleCollection(heap);
  for (let now = 0; now < 5000; now += 100) collection.look(now, false);
  expect(heap.trims).toBe(0);
  for (let now = 5000; now <= 30_000; now += 100) collection.look(now, false);
  expect(heap.trims).toBe(1);
  heap.megabytes = 100;
  for (let now = 30_000; now <= 60_000; now += 100) collection.look(now, false);
  expect([heap.collections, heap.trims]).toEqual([1, 2]);
});

test('a process that was not started for it leaves it to the engine', () => {
  expect(IdleCollection.ofProcess()).toBeUndefined();
});
