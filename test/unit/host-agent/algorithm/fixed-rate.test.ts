import { FixedRate } from '../../../../host-agent/algorithm/fixed-rate';

describe('traffic of a fixed rate', () => {
  test('keeps it whatever it is told, and has room for any path', () => {
    const control = new FixedRate(50e9);
    expect([control.onAck(), control.onLoad()]).toEqual(['ignored', 'ignored']);
    control.onFlowCount();
    control.onIdleRestart();
    expect(control.pacingRate).toBe(50e9);
    // A millisecond at 1 Tb/s.
    expect(control.windowBytes).toBeGreaterThan(125e6);
    expect(control.metrics()).toMatchObject({ pacingRate: 50e9, acksProcessed: 2, commits: 0 });
  });
});
