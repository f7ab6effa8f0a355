import { emitPause } from '../../../../common/wire/ip/mac-control';
import { gigabitsPerSecond } from '../../../../common/units/units';
import { PausableAgent } from '../../../../host-agent/host/pausable-agent';
import type { StormTimes } from '../../../../common/pause/storm-watch';
import type { Packet } from '../../../../common/packet/packet';
import type { Agent } from '../../../../host-agent/host/agent';

/** An agent that always has a frame of the priorities that it is given, in turn. */
function endless(priorities: readonly number[]): Agent & { polled: number; received: number } {
  const agent = {
    polled: 0,
    received: 0,
    pollTransmit: (): Packet => {
      const priority = priorities[agent.polled++ % priorities.length] ?? 0;
      return { bytes: Uint8Array.of(priority), length: 1000 };
    },
    handlePacket: () => agent.received++,
    handleWakeup: () => undefined,
    pollWakeup: () => undefined,
    pollEvent: () => undefined,
  };
  return agent as unknown as Agent & { polled: number; received: number };
}

function host(priorities: readonly number[], watchdog?: StormTimes) {
  const inner = endless(priorities);
  const told: [number, number][] = [];
  const agent = new PausableAgent(inner, {
    linkRate: gigabitsPerSecond(100),
    priorityOf: ({ bytes }) => bytes[0] ?? 0,
    priorities: [...new Set(priorities)],
    observe: (priority, lasted) => told.push([priority, lasted]),
    watchdog,
  });
  const pause = (now: number, classes: number, time: number): void => {
    const bytes = emitPause({ classes, quanta: new Array<number>(8).fill(time) }, 1);
    agent.handlePacket(now, { bytes, length: bytes.length });
  };
  const next = (now: number): number | undefined => agent.pollTransmit(now)?.bytes[0];
  return { inner, agent, pause, next, told };
}

test('a paused host sends nothing, wakes when the pause is over, and goes on', () => {
  const { agent, inner, pause, next, told } = host([0]);
  pause(1000, 1, 100);
  expect(next(1000)).toBeUndefined();
  expect(inner.polled).toBe(0);
  // 100 quanta of 512 bits at 100 Gb/s are 512 ns.
  expect(agent.pollWakeup()).toBe(513_000);
  agent.handleWakeup(513_000);
  expect(next(513_000)).toBe(0);
  expect(told).toEqual([[0, 512_000]]);
  expect(agent.pauses).toEqual({ pauses: 1, resumes: 0, duration: 512_000, storms: 0 });
});

test('a frame with time 0 lets it go on at once', () => {
  const { agent, pause, next } = host([0]);
  pause(0, 1, 0xffff);
  pause(5000, 1, 0);
  expect(next(5000)).toBe(0);
  expect(agent.pauses).toEqual({ pauses: 1, resumes: 1, duration: 5000, storms: 0 });
  expect(agent.pollWakeup()).toBeUndefined();
});

test('a pause that is repeated is one pause', () => {
  const { agent, pause } = host([0]);
  pause(0, 1, 100);
  pause(300_000, 1, 100);
  pause(700_000, 1, 0);
  expect(agent.pauses).toEqual({ pauses: 1, resumes: 1, duration: 700_000, storms: 0 });
});

test('other priorities go on, and what was kept back leaves in its order', () => {
  const { pause, next } = host([3, 0]);
  pause(0, 1 << 3, 0xffff);
  expect([next(1), next(2), next(3)]).toEqual([0, 0, 0]);
  pause(10, 1 << 3, 0);
  expect([next(11), next(12), next(13), next(14)]).toEqual([3, 3, 3, 3]);
});

test('of a paused priority 64 frames are kept back, and no more', () => {
  const { inner, pause, next } = host([3, 0]);
  pause(0, 1 << 3, 0xffff);
  for (let i = 0; i < 200; i++) next(i);
  expect(inner.polled).toBe(127);
});

test('the agent sees packets, and no MAC control frames', () => {
  const { agent, inner, pause } = host([0]);
  pause(0, 1, 5);
  agent.handlePacket(1, { bytes: new Uint8Array(60), length: 60 });
  expect(inner.received).toBe(1);
});

test('what a pause has lasted can be settled before it ends', () => {
  const { agent, pause, told } = host([0]);
  pause(0, 1, 0xffff);
  agent.settle(1000);
  agent.settle(1000);
  expect(agent.pauses.duration).toBe(1000);
  expect(told).toEqual([[0, 1000]]);
});

test('attack 2: pauses to other addresses stop no host, and are no packets of its own', () => {
  const { agent, inner, next } = host([0]);
  const bytes = emitPause({ classes: 0xff, quanta: new Array<number>(8).fill(0xffff) }, 1);
  for (const address of [[2, 0, 0, 0, 0, 9], new Array<number>(6).fill(0xff)]) {
    bytes.set(address);
    agent.handlePacket(0, { bytes, length: bytes.length });
    expect(next(0)).toBe(0);
  }
  expect(agent.pauses.pauses).toBe(0);
  expect(inner.received).toBe(0);
});

describe('attack 3: a storm of pauses at a host', () => {
  const PAUSE = 512_000;
  const TIMES = { detect: 10 * PAUSE, restore: 4 * PAUSE };
  const storm = (isStorm: boolean) => ({ kind: 'pause-storm', priority: 0, isStorm });

  /** Repeats pauses and asks for frames at each wake-up, as drivers do; returns when frames left. */
  function live({ agent, pause, next }: ReturnType<typeof host>, until: number): number[] {
    const sent: number[] = [];
    let pauseAt = 0;
    for (let now = 0; now <= until;) {
      if (pauseAt <= now) {
        pause(now, 1, 100);
        pauseAt = now + PAUSE / 2;
      }
      if (next(now) !== undefined) sent.push(now);
      now = Math.min(pauseAt, agent.pollWakeup() ?? Infinity);
      agent.handleWakeup(now);
    }
    return sent;
  }

  test('is obeyed for so long as the watchdog waits, and then no more, until it is over', () => {
    const stormed = host([0], TIMES);
    const sent = live(stormed, 20 * PAUSE);
    expect(Math.min(...sent)).toBe(TIMES.detect);
    expect(sent.length).toBeGreaterThan(10);
    const { agent, pause, next } = stormed;
    expect(agent.pauses).toMatchObject({ pauses: 1, storms: 1, duration: TIMES.detect });
    expect([agent.pollEvent(), agent.pollEvent()]).toEqual([storm(true), undefined]);
    // Its last pause came at 20, and was one of 1.
    agent.handleWakeup(21 * PAUSE);
    const over = agent.pollWakeup() ?? 0;
    expect(over).toBe(21 * PAUSE + TIMES.restore);
    agent.handleWakeup(over);
    expect([agent.pollEvent(), agent.pollEvent()]).toEqual([storm(false), undefined]);
    pause(over, 1, 100);
    expect(next(over)).toBeUndefined();
  });

  test('is obeyed without end where there is no watchdog', () => {
    expect(live(host([0]), 100 * PAUSE)).toEqual([]);
  });

  test('is none where frames leave between pauses', () => {
    const { agent, pause, next } = host([0], TIMES);
    for (let at = 0; at < 100 * PAUSE; at += 2 * PAUSE) {
      pause(at, 1, 100);
      expect(next(at)).toBeUndefined();
      agent.handleWakeup(at + PAUSE);
      expect(next(at + PAUSE)).toBe(0);
    }
    expect(agent.pauses.storms).toBe(0);
  });

  test('is none for a process that stood still while a short pause went by', () => {
    const { agent, pause, next } = host([0], TIMES);
    pause(0, 1, 100);
    expect(next(0)).toBeUndefined();
    agent.handleWakeup(50 * PAUSE);
    expect(agent.pauses).toMatchObject({ storms: 0, duration: PAUSE });
    pause(51 * PAUSE, 1, 100);
    expect(next(51 * PAUSE)).toBeUndefined();
  });

  test('of one priority lets that one go, and what was kept back first', () => {
    const { agent, pause, next } = host([3, 0], TIMES);
    for (let at = 0; at < TIMES.detect; at += PAUSE / 2) {
      pause(at, 1 << 3, 100);
      expect(next(at)).toBe(0);
    }
    agent.handleWakeup(TIMES.detect);
    expect(next(TIMES.detect)).toBe(3);
    expect(agent.pollEvent()).toEqual({ ...storm(true), priority: 3 });
  });
});
