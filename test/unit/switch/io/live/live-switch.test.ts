import { LiveSwitch } from '../../../../../switch/io/live/live-switch';
import type { PortNumber } from '../../../../../common/units/units';
import type { DrivenSwitch } from '../../../../../switch/io/live/live-switch';
import type { DataPort, LivePortCounters } from '../../../../../switch/io/live/data-port';

const NOTHING: LivePortCounters = {
  received: 0,
  sent: 0,
  overflowed: 0,
  oversized: 0,
  sendFailed: 0,
};

/** A port whose frames are in lists. */
class FakePort implements DataPort {
  readonly interfaceName = 'fake';
  readonly fd = -1;
  readonly arrived: Uint8Array[] = [];
  readonly sent: number[] = [];
  readonly events: string[] = [];

  constructor(readonly port: PortNumber) {}

  open(limit: number): number {
    return Math.min(limit, this.arrived.length);
  }

  lengthOf(index: number): number {
    return this.arrived[index]?.length ?? 0;
  }

  take(handle: (frame: Uint8Array) => void): void {
    handle(this.arrived.shift() as Uint8Array);
  }

  giveBack(): void {
    return;
  }

  send(frame: Uint8Array): void {
    this.sent.push(frame[0] ?? -1);
    this.events.push('send');
  }

  flush(): void {
    this.events.push('flush');
  }

  readonly hasDeferredWork = false;

  doDeferredWork(): void {
    return;
  }

  counters(): LivePortCounters {
    return { ...NOTHING, sent: this.sent.length };
  }

  close(): void {
    this.events.push('close');
  }
}

/** Fails the test that did not expect a failure. */
const unexpected = (error: unknown): never => {
  throw error;
};

function liveSwitch(onFailure: (error: unknown) => void = unexpected): LiveSwitch {
  let now = 0;
  return new LiveSwitch({ clock: () => (now += 1000), onFailure });
}

/** A device that does nothing but what a test gives it. */
const device = (parts: Partial<DrivenSwitch>): DrivenSwitch => ({
  handlePacket: () => undefined,
  handlePortFree: () => undefined,
  advanceTo: () => undefined,
  ...parts,
});

describe('the live switch', () => {
  test('hands frames to the device in order of arrival and of time, and flushes what it sends', async () => {
    const live = liveSwitch();
    const [a, b] = [new FakePort(1), new FakePort(2)];
    live.attach(a);
    live.attach(b);
    a.arrived.push(Uint8Array.of(10), Uint8Array.of(11));
    const instants: number[] = [];
    await new Promise<void>((resolve) => {
      live.start(
        device({
          handlePacket: (now, _port, packet) => {
            instants.push(now);
            live.transmit(2, packet);
            if (packet.bytes[0] === 11) resolve();
          },
        }),
      );
    });
    await live.stop();
    expect(b.sent).toEqual([10, 11]);
    expect(b.events.slice(0, 3)).toEqual(['send', 'send', 'flush']);
    expect(b.events.at(-1)).toBe('close');
    expect(instants).toEqual([...instants].sort((x, y) => x - y));
  });

  test('calls ports when they asked to be called, though it sleeps', async () => {
    const live = liveSwitch();
    const port = await new Promise<PortNumber>((resolve) => {
      live.start(device({ handlePortFree: (free) => resolve(free) }));
      setImmediate(() => live.schedulePort(7, Float64Array.of(5000)));
    });
    await live.stop();
    expect(port).toBe(7);
  });

  test('frees a port when its link became free, though it gets its turn late', async () => {
    let now = 0;
    const live = new LiveSwitch({ clock: () => (now += 10_000_000), onFailure: unexpected });
    const instants: number[] = [];
    await new Promise<void>((resolve) => {
      live.start(
        device({
          handlePortFree: (port, at) => {
            instants.push(at);
            if (instants.length < 50) live.schedulePort(port, Float64Array.of(at + 1000));
            else resolve();
          },
        }),
      );
      live.schedulePort(7, Float64Array.of(5000));
    });
    await live.stop();
    const gaps = instants.slice(1).map((at, i) => at - (instants[i] ?? 0));
    expect(gaps).toEqual(gaps.map(() => 1000));
  });

  test('counts packets for ports without an interface', async () => {
    const live = liveSwitch();
    live.start(device({}));
    live.transmit(9, { bytes: Uint8Array.of(1), length: 1 });
    await live.stop();
    expect(live.unattached).toBe(1);
  });

  test('hands packets of the CPU port to whoever asked for them', async () => {
    const live = liveSwitch();
    live.packetIn({ bytes: Uint8Array.of(1), length: 1 });
    const received: number[] = [];
    live.onPacketIn((bytes) => received.push(...bytes));
    live.packetIn({ bytes: Uint8Array.of(2, 3), length: 2 });
    live.start(device({}));
    await live.stop();
    expect(received).toEqual([2, 3]);
  });

  test('keeps the counters of ports that it has lost', async () => {
    const live = liveSwitch();
    const port = new FakePort(1);
    live.attach(port);
    live.start(device({}));
    live.transmit(1, { bytes: Uint8Array.of(1), length: 1 });
    expect(live.detach(1)).toBe(true);
    expect(live.detach(1)).toBe(false);
    expect(live.counters()).toEqual([{ ...NOTHING, sent: 1 }]);
    await live.stop();
    expect(live.counters()).toEqual([{ ...NOTHING, sent: 1 }]);
  });

  test('takes one interface per port', async () => {
    const live = liveSwitch();
    live.attach(new FakePort(1));
    expect(() => live.attach(new FakePort(1))).toThrow('port 1 has an interface already');
    live.start(device({}));
    await live.stop();
  });

  test('closes its ports and reports the failure when the device fails', async () => {
    const port = new FakePort(1);
    port.arrived.push(Uint8Array.of(1));
    const error = await new Promise((resolve) => {
      const live = liveSwitch(resolve);
      live.attach(port);
      live.start(
        device({
          handlePacket: () => {
            throw new Error('assertion of the program');
          },
        }),
      );
    });
    expect(error).toEqual(new Error('assertion of the program'));
    expect(port.events).toEqual(['flush', 'close']);
  });
});
