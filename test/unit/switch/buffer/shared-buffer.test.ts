import fc from 'fast-check';
import { SharedBuffer } from '../../../../switch/buffer/shared-buffer';
import type { BufferGroup, BufferOptions } from '../../../../switch/buffer/shared-buffer';

const LOSSLESS: BufferOptions = {
  bytes: 10_000,
  alphas: [1],
  reservedBytes: 0,
  lossless: { priorities: [0], headroomBytes: () => 1000, resumeOffsetBytes: 200, quanta: 65535 },
};
const PORTS = [1, 2];
const group = (buffer: SharedBuffer, headroom = 1000): BufferGroup => buffer.group(0, headroom);
const fill = (buffer: SharedBuffer, of: BufferGroup, packets: number): number =>
  Array.from({ length: packets }, () => buffer.admit(of, 100)).filter(Boolean).length;

test('a group gets alpha times what is free, so that with alpha 1 it gets half', () => {
  const buffer = new SharedBuffer({ ...LOSSLESS, lossless: undefined }, PORTS, 1);
  expect(fill(buffer, group(buffer, 0), 100)).toBe(50);
  // Half of what is left: the second of n groups finds a quarter.
  expect(fill(buffer, group(buffer, 0), 100)).toBe(25);
});

test('its priority decides how much', () => {
  const buffer = new SharedBuffer(
    { ...LOSSLESS, lossless: undefined, alphas: [1, 0.25] },
    PORTS,
    1,
  );
  expect(fill(buffer, buffer.group(1, 0), 100)).toBe(20);
});

test('what a group has reserved does not count, and nobody else gets it', () => {
  const buffer = new SharedBuffer(
    { ...LOSSLESS, lossless: undefined, reservedBytes: 1000 },
    PORTS,
    1,
  );
  // 10,000 less twice 1000: half of 8000 and its own 1000.
  expect(fill(buffer, group(buffer, 0), 100)).toBe(50);
});

test('over the threshold a lossless group is to be paused, and uses its headroom up', () => {
  const buffer = new SharedBuffer(LOSSLESS, PORTS, 1);
  const one = group(buffer);
  // Shared are 8000.
  expect(fill(buffer, one, 39)).toBe(39);
  expect(buffer.mustPause(one)).toBe(false);
  expect(fill(buffer, one, 1)).toBe(1);
  expect(buffer.mustPause(one)).toBe(true);
  expect(fill(buffer, one, 100)).toBe(10);
  expect(buffer.peaks).toEqual({ sharedBytes: 4000, headroomBytes: 1000 });
});

test('it may go on when its headroom is free and it is below the threshold by the offset', () => {
  const buffer = new SharedBuffer(LOSSLESS, PORTS, 1);
  const one = group(buffer);
  fill(buffer, one, 41);
  expect(buffer.mayResume(one)).toBe(false);
  buffer.release(one, 100);
  // 4000 of 8000: what it has is what is free. One packet less is 3900 of 4100.
  expect(buffer.mayResume(one)).toBe(false);
  buffer.release(one, 100);
  expect(buffer.mayResume(one)).toBe(true);
});

test('a guest has nothing for itself, whatever others have reserved', () => {
  const buffer = new SharedBuffer(
    { ...LOSSLESS, lossless: undefined, reservedBytes: 1000 },
    PORTS,
    1,
  );
  // Half of 8000.
  expect(fill(buffer, buffer.guest(0), 100)).toBe(40);
});

test('reserves that leave nothing to share are refused with their sizes', () => {
  expect(() => new SharedBuffer({ ...LOSSLESS, bytes: 2000 }, PORTS, 1)).toThrow(
    'a buffer of 2000 bytes leaves nothing to share: 2 ports need 2000 bytes of headroom and 0 reserved',
  );
});

test('whatever comes and goes, the memory is never exceeded and ends empty', () => {
  const step = fc.record({ at: fc.nat(3), bytes: fc.integer({ min: 60, max: 1500 }) });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.double({ min: 0.1, max: 64, noNaN: true }),
      (steps, alpha) => {
        const options = { ...LOSSLESS, alphas: [alpha], reservedBytes: 100 };
        const buffer = new SharedBuffer(options, PORTS, 1);
        const groups = [group(buffer), group(buffer), group(buffer, 0), group(buffer, 0)];
        const held: { group: BufferGroup; bytes: number }[] = [];
        for (const { at, bytes } of steps) {
          const chosen = groups[at] as BufferGroup;
          if (buffer.admit(chosen, bytes)) held.push({ group: chosen, bytes });
          const sum = groups.reduce((total, each) => total + each.bytes + each.headroomUsed, 0);
          // The reserves of all groups, of which two have no port here.
          expect(sum).toBeLessThanOrEqual(10_000 + 2 * 100);
          if (bytes % 3 === 0) buffer.release(...take(held));
        }
        while (held.length > 0) buffer.release(...take(held));
        expect(groups.every((each) => each.bytes === 0 && each.headroomUsed === 0)).toBe(true);
        const fresh = group(buffer, 0);
        expect(buffer.admit(fresh, Math.floor(7800 * Math.min(1, alpha)))).toBe(true);
      },
    ),
  );
});

function take(held: { group: BufferGroup; bytes: number }[]): [BufferGroup, number] {
  const { group: from, bytes } = held.shift() ?? { group: idle, bytes: 0 };
  return [from, bytes];
}

const idle: BufferGroup = {
  bytes: 0,
  reserve: 0,
  headroomMax: 0,
  headroomUsed: 0,
  alpha: 1,
  isPaused: false,
};
