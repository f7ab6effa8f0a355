import type { HopRecord } from '../../../../common/hop/hop';
import type { Instant } from '../../../../common/units/units';
import { microseconds, ORIGIN, seconds } from '../../../../common/units/units';
import { checkBaseRtt, PathBaseRtt } from '../../../../host-agent/path/base-rtt';
import type { BaseRttOptions } from '../../../../host-agent/path/base-rtt';
import { hopRecord } from '../../../support/telemetry';

const RTT = microseconds(4);
/** 80 ps per byte at 100 Gb/s: a kilobyte more takes 80 ns on each link. */
const FRAMES = { linkRate: 100e9, dataLength: 1074, probeLength: 74, hopLength: 32 };
const LONGER = microseconds(0.08);
const at = (second: number): Instant => ORIGIN + seconds(second);
const IDLE = [hopRecord()];
const BUSY = [hopRecord({ queueBytes: 5000 })];

function path(options: BaseRttOptions = {}, links: readonly HopRecord[] = IDLE): PathBaseRtt {
  return new PathBaseRtt(checkBaseRtt({ samples: 1, ...options }), FRAMES, links);
}

describe('T of a path', () => {
  it('is known after so many round trips, and is the shortest of them', () => {
    const measured = path({ samples: 3 });
    for (const [i, rtt] of [RTT + 50, RTT, RTT + 90].entries()) {
      expect(measured.T).toBeUndefined();
      measured.note(i, { rtt, links: IDLE });
    }
    expect(measured.T).toBe(RTT + 2 * LONGER);
  });

  it.each([
    ['its own link alone, where the network shows none', [], RTT + LONGER],
    ['two links', IDLE, RTT + 2 * LONGER],
    ['a slow link', [hopRecord({ capacity: 10e9 })], RTT + LONGER + 10 * LONGER],
    ['a link whose capacity nobody tells', [hopRecord({ capacity: 0 })], RTT + LONGER],
  ])('is that of a full data frame, which takes longer than a probe on %s', (_, links, T) => {
    const measured = path({}, links);
    measured.note(0, { rtt: RTT, links });
    expect(measured.T).toBe(T);
  });

  it('is never below what the links need to carry data and acknowledgement', () => {
    const measured = path();
    measured.note(0, { rtt: 1, links: IDLE });
    expect(measured.T).toBe((1074 + 74 + 32 + (1106 + 74 + 32)) * 80);
  });

  it('is never below a floor, or so many frames of the slowest link', () => {
    const slow = [hopRecord({ capacity: 100e6 })];
    const byFrames = path({ framesMin: 10 }, slow);
    byFrames.note(0, { rtt: RTT, links: slow });
    expect(byFrames.T).toBe(microseconds((10 * 1106 * 8) / 100));
    const byFloor = path({ floor: microseconds(300) });
    byFloor.note(0, { rtt: RTT, links: IDLE });
    expect(byFloor.T).toBe(microseconds(300));
  });

  it('falls at once, and rises when the shorter round trip is out of the window', () => {
    const measured = path({ window: seconds(10) });
    measured.note(0, { rtt: 2 * RTT, links: IDLE });
    measured.note(at(1), { rtt: RTT, links: IDLE });
    expect(measured.T).toBe(RTT + 2 * LONGER);
    measured.note(at(8), { rtt: 3 * RTT, links: IDLE });
    expect(measured.T).toBe(RTT + 2 * LONGER);
    measured.note(at(12), { rtt: 3 * RTT, links: IDLE });
    expect(measured.T).toBe(3 * RTT + 2 * LONGER);
  });

  it('does not rise by round trips that met a queue, however long that lasts', () => {
    const measured = path({ window: seconds(10) });
    measured.note(0, { rtt: RTT, links: IDLE });
    for (let s = 1; s < 60; s++) measured.note(at(s), { rtt: 3 * RTT, links: BUSY });
    expect(measured.T).toBe(RTT + 2 * LONGER);
  });

  it('begins with round trips through queues if there are no others, and falls by them', () => {
    const measured = path();
    measured.note(0, { rtt: 3 * RTT, links: BUSY });
    expect(measured.T).toBe(3 * RTT + 2 * LONGER);
    measured.note(1, { rtt: 2 * RTT, links: BUSY });
    expect(measured.T).toBe(2 * RTT + 2 * LONGER);
  });

  it.each([
    ['samples', 0, 'samples must be an integer at least 1 and at most 1000, got 0'],
    ['samples', 1.5, 'samples must be an integer at least 1 and at most 1000, got 1.5'],
    ['window', 0, 'window must be a number above 0'],
    ['floor', -1, 'floor must be a number at least 0'],
    ['framesMin', NaN, 'framesMin must be an integer at least 1 and at most 1000, got NaN'],
  ])('is not measured with %s %d', (name, value, message) => {
    expect(() => checkBaseRtt({ [name]: value })).toThrow(message);
  });
});
