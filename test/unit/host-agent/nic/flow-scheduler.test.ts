import type { ScheduledFlow } from '../../../../host-agent/nic/flow-scheduler';
import { FlowScheduler } from '../../../../host-agent/nic/flow-scheduler';

/** A flow that may send once every `interval`, and fires an alarm. */
class FakeFlow implements ScheduledFlow {
  next = 0;
  isOpen = true;
  alarm = Infinity;
  alarms: number[] = [];

  constructor(
    readonly name: string,
    readonly interval: number,
  ) {}

  canSend(now: number): boolean {
    return this.isOpen && this.next <= now;
  }

  writeWakeup(now: number, into: Float64Array): void {
    into[0] = Math.min(this.alarm, this.isOpen && this.next > now ? this.next : Infinity);
  }

  handleWakeup(now: number): void {
    if (now < this.alarm) return;
    this.alarms.push(now);
    this.alarm = Infinity;
  }

  send(now: number): string {
    this.next = now + this.interval;
    return this.name;
  }
}

/** One packet per unit of time, as long as somebody may send. */
function run(scheduler: FlowScheduler<FakeFlow>, from: number, to: number): string {
  let sent = '';
  for (let now = from; now < to; now++) {
    const flow = scheduler.take(now);
    sent += flow?.send(now) ?? '-';
    if (flow !== undefined) scheduler.update(now, flow);
  }
  return sent;
}

describe('the choice of the next packet', () => {
  it('goes round the flows that may send', () => {
    const scheduler = new FlowScheduler<FakeFlow>();
    for (const name of 'abc') scheduler.add(0, new FakeFlow(name, 1));
    expect(run(scheduler, 0, 7)).toBe('abcabca');
  });

  it('gives a slow flow its turn when its time has come', () => {
    const scheduler = new FlowScheduler<FakeFlow>();
    scheduler.add(0, new FakeFlow('a', 1));
    scheduler.add(0, new FakeFlow('s', 5));
    expect(run(scheduler, 0, 12)).toBe('asaaaaasaaaa');
  });

  it('passes over a flow whose window has closed, until it is told of a change', () => {
    const scheduler = new FlowScheduler<FakeFlow>();
    const [a, b] = [new FakeFlow('a', 1), new FakeFlow('b', 1)];
    scheduler.add(0, a);
    scheduler.add(0, b);
    a.isOpen = false;
    expect(run(scheduler, 0, 3)).toBe('bbb');
    a.isOpen = true;
    scheduler.update(3, a);
    expect(run(scheduler, 3, 7)).toBe('abab');
  });

  it('tells by when a flow might send, if nothing happens', () => {
    const scheduler = new FlowScheduler<FakeFlow>();
    const flow = new FakeFlow('a', 10);
    expect(scheduler.mayTake(Float64Array.of(1000))).toBe(false);
    scheduler.add(0, flow);
    expect(scheduler.mayTake(Float64Array.of(0))).toBe(true);
    scheduler.take(0)?.send(0);
    scheduler.update(0, flow);
    expect(scheduler.mayTake(Float64Array.of(9))).toBe(false);
    expect(scheduler.mayTake(Float64Array.of(10))).toBe(true);
  });

  it('forgets a flow that is removed while it waits for its turn', () => {
    const scheduler = new FlowScheduler<FakeFlow>();
    const [a, b] = [new FakeFlow('a', 1), new FakeFlow('b', 1)];
    scheduler.add(0, a);
    scheduler.add(0, b);
    scheduler.remove(a);
    scheduler.remove(a);
    expect(scheduler.size).toBe(1);
    expect(run(scheduler, 0, 2)).toBe('bb');
  });

  it('wakes at the earliest time of all flows, and fires what is due once', () => {
    const scheduler = new FlowScheduler<FakeFlow>();
    const [a, b] = [new FakeFlow('a', 10), new FakeFlow('b', 20)];
    scheduler.add(0, a);
    scheduler.add(0, b);
    expect(run(scheduler, 0, 2)).toBe('ab');
    b.alarm = 15;
    scheduler.update(2, b);
    expect(scheduler.wakeupAfter(2)).toBe(10);
    scheduler.handleWakeup(10);
    expect(scheduler.wakeupAfter(10)).toBe(15);
    scheduler.handleWakeup(16);
    expect(b.alarms).toEqual([16]);
    expect(scheduler.wakeupAfter(16)).toBe(21);
  });
});
