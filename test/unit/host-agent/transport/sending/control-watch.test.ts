import { ControlWatch } from '../../../../../host-agent/transport/sending/control-watch';

const T = 1000;

/** Acknowledgements, one every `spacing`, of which none lets the flow react. */
function silence(watch: ControlWatch, from: number, count: number, spacing: number): number {
  for (let i = 1; i <= count; i++) watch.noteAck(from + i * spacing);
  return from + count * spacing;
}

describe('the watch for control', () => {
  test('counts the time since a flow could react, once that is 8 T and 8 acknowledgements ago', () => {
    const watch = new ControlWatch(0, T, 1);
    let now = silence(watch, 0, 8, T);
    expect(watch.total).toBe(0);
    now = silence(watch, now, 1, T);
    expect(watch.total).toBe(9 * T);
    now = silence(watch, now, 11, T);
    expect(watch.total).toBe(20 * T);
  });

  test('takes few acknowledgements, or many within a short time, for no lack of control', () => {
    const watch = new ControlWatch(0, T, 1);
    let now = silence(watch, 0, 7, 100 * T);
    expect(watch.total).toBe(0);
    watch.noteControl(now);
    now = silence(watch, now, 80, T / 10);
    expect(watch.total).toBe(0);
  });

  test('takes what comes at once after a long stand for one moment', () => {
    const watch = new ControlWatch(0, T, 1);
    let now = silence(watch, 0, 3, T) + 50 * T;
    now = silence(watch, now, 100, 1);
    expect(watch.total).toBe(0);
    now = silence(watch, now, 6, T);
    expect(watch.total).toBe(now);
  });

  test('adds up times without control, and none of those with it', () => {
    const watch = new ControlWatch(0, T, 1);
    let now = silence(watch, 0, 10, T);
    watch.noteControl(now);
    for (let i = 0; i < 50; i++) {
      now = silence(watch, now, 1, T);
      watch.noteControl(now);
    }
    now = silence(watch, now, 10, T);
    expect(watch.total).toBe(20 * T);
  });

  test('waits for as many times more acknowledgements as telemetry is rarer', () => {
    const watch = new ControlWatch(0, T, 4);
    const now = silence(watch, 0, 31, T);
    expect(watch.total).toBe(0);
    watch.noteAck(now + T);
    expect(watch.total).toBe(32 * T);
  });

  test('follows a T that was measured', () => {
    const watch = new ControlWatch(0, T, 1);
    watch.onBaseRtt(2 * T);
    silence(watch, 0, 10, T);
    expect(watch.total).toBe(0);
  });
});
