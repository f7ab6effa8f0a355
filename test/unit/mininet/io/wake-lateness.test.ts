import { wakeLatenessUs } from '../../../../mininet/io/wake-lateness';

test('the lateness of waking is that of the slowest wakes, and none where a pause ends at once', () => {
  expect(wakeLatenessUs(() => undefined)).toBe(0);
  let asked = 0;
  wakeLatenessUs((ms) => {
    asked += ms;
  });
  expect(asked).toBe(1000);
});
