import * as os from 'node:os';
import { wakeLatenessOfRunsUs, wakeLatenessUs } from '../../../../mininet/io/wake-lateness';

test('the lateness of waking is that of the slowest wakes, and none where a pause ends at once', () => {
  expect(wakeLatenessUs(() => undefined)).toBe(0);
  let asked = 0;
  wakeLatenessUs((ms) => {
    asked += ms;
  });
  expect(asked).toBe(1000);
});

test('a process that is scheduled as those of a run measures it', () => {
  if (process.getuid?.() !== 0) {
    expect(() => wakeLatenessOfRunsUs()).toThrow(/could not be measured: .*setpriority/s);
    return;
  }
  const before = os.getPriority();
  expect(wakeLatenessOfRunsUs()).toBeGreaterThan(0);
  expect(os.getPriority()).toBe(before);
});
