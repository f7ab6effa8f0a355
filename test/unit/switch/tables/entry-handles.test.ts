import fc from 'fast-check';
import { EntryHandles } from '../../../../switch/tables/entry-handles';

/** Places of a handle: below this, which place; above it, how often the place has been left. */
const PLACES = 2 ** 24;

describe('handles of entries', () => {
  test('count up from 0, and lead to their entries', () => {
    const handles = new EntryHandles<string>();
    expect(['a', 'b', 'c'].map((entry) => handles.take(entry))).toEqual([0, 1, 2]);
    expect([0, 1, 2].map((handle) => handles.find(handle))).toEqual(['a', 'b', 'c']);
    expect(handles.find(3)).toBe('unknown');
  });

  test('take the lowest place that is free, and tell its entries apart', () => {
    const handles = new EntryHandles<string>();
    for (const entry of ['a', 'b', 'c']) handles.take(entry);
    handles.release(2);
    handles.release(0);
    expect(handles.find(0)).toBe('unknown');
    const second = handles.take('d');
    expect(second).toBe(PLACES);
    expect(handles.find(second)).toBe('d');
    expect(handles.find(0)).toBe('expired');
    expect(handles.take('e')).toBe(PLACES + 2);
    expect(handles.take('f')).toBe(3);
  });

  test('count how often a place was left modulo 256', () => {
    const handles = new EntryHandles<number>();
    for (let i = 0; i < 256; i++) {
      const handle = handles.take(i);
      expect(handle).toBe(i * PLACES);
      handles.release(handle);
    }
    expect(handles.take(256)).toBe(0);
  });

  test('a handle that leads nowhere is released in vain', () => {
    const handles = new EntryHandles<string>();
    handles.take('a');
    handles.release(5);
    handles.release(0);
    handles.release(0);
    expect(handles.take('b')).toBe(PLACES);
  });

  test('begin anew once all are forgotten', () => {
    const handles = new EntryHandles<string>();
    handles.release(handles.take('a'));
    handles.take('b');
    handles.take('c');
    handles.clear();
    expect(handles.find(PLACES)).toBe('unknown');
    expect([handles.take('d'), handles.take('e')]).toEqual([0, 1]);
  });

  test('are those of a list that is searched from its beginning', () => {
    const step = fc.oneof(fc.constant('take' as const), fc.nat(12));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const handles = new EntryHandles<number>();
        const model: { entry: number | undefined; left: number }[] = [];
        steps.forEach((what, i) => {
          if (what === 'take') {
            const free = model.findIndex(({ entry }) => entry === undefined);
            const place = free < 0 ? model.push({ entry: undefined, left: 0 }) - 1 : free;
            const at = model[place];
            if (at === undefined) throw new Error('the place exists');
            at.entry = i;
            expect(handles.take(i)).toBe(at.left * PLACES + place);
          } else {
            const at = model[what];
            handles.release((at?.left ?? 0) * PLACES + what);
            if (at?.entry === undefined) return;
            at.entry = undefined;
            at.left += 1;
          }
        });
        model.forEach(({ entry, left }, place) => {
          const found = entry ?? 'unknown';
          expect(handles.find(left * PLACES + place)).toBe(found);
          if (entry !== undefined)
            expect(handles.find((left + 1) * PLACES + place)).toBe('expired');
        });
      }),
    );
  });
});
