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

test('garbage is collected when it is worth it, and no more often', () => {
  const heap = heapOf(40);
  const collection = new IdleCollection(heap);
  const looks = [30, 55.9, 56, 20, 35.9, 36].map((megabytes) => {
    heap.megabytes = megabytes;
    collection.look();
    return heap.collections;
  });
  expect(looks).toEqual([0, 0, 1, 1, 1, 2]);
});

test('little garbage is collected, too, where somebody wishes it: once', () => {
  const heap = heapOf(40);
  const collection = new IdleCollection(heap);
  collection.wish();
  collection.look();
  collection.look();
  expect([heap.collections, heap.trims]).toEqual([1, 1]);
});

test('freed memory goes back once after the start, and after each collection', () => {
  const heap = heapOf(40);
  const collection = new IdleCollection(heap);
  collection.look();
  collection.look();
  expect([heap.collections, heap.trims]).toEqual([0, 1]);
  heap.megabytes = 100;
  collection.look();
  collection.look();
  expect([heap.collections, heap.trims]).toEqual([1, 2]);
});

test('a process that was not started for it leaves it to the engine', () => {
  expect(IdleCollection.ofProcess()).toBeUndefined();
});
