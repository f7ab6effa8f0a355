import { LinkEvents } from '../../common/io/loop/link-events';
import { standInForEventLoop } from '../../common/io/loop/uv-poll';
import { standInForLibc } from '../../common/io/net/libc';
import { ONLY_PLACE } from '../../common/io/net/network-place';
import { InterfaceWatch } from '../../host-agent/io/live/interface-watch';
import { PacketPort } from '../../host-agent/io/net/packet-port';
import { readSwitchFlags } from '../../switch/io/flags/switch-flags';
import type { LiveSwitch } from '../../switch/io/live/live-switch';
import { portSource } from '../../switch/io/port-source';
import type { Fault } from './kernel/faults';
import { simulatedLibc } from './kernel/libc';
import { System } from './kernel/system';

const NAME = 'link';
/** Changes within so long are one, and the longest pause between looks of which each was refused, in ms. */
const TOGETHER_MS = 5;
const AGAIN_MAX_MS = 100;

/** Most seeds find a second without an interface too short to tell; a refused look at the right instant does. */
describe('an interface that was made again while the kernel refused to tell of it', () => {
  let system: System;
  let undo: (() => void)[];
  /** Makes the interface again. */
  const remake = (): void => {
    const one = system.interfaces.named(NAME);
    if (one === undefined) throw new Error(NAME);
    system.interfaces.remove(one);
    system.interfaces.makeAgain(one);
  };
  /** Strikes as often as the test says. */
  const refuse = (wanted: Fault, times: number): void => {
    let left = times;
    const strikes = (fault: Fault): boolean => fault === wanted && left-- > 0;
    system.faults.strikes = strikes;
    system.faults.strikesFor = strikes;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    system = new System(1);
    undo = [standInForLibc(simulatedLibc(system)), standInForEventLoop(system.polling)];
    system.interfaces.make(NAME, 1);
  });
  afterEach(() => {
    undo.forEach((each) => each());
    jest.useRealTimers();
  });

  test.each(['eintr', 'enobufs-netlink', 'emfile'] as const)(
    'is found within 100 ms by a host (%s)',
    (fault) => {
      const port = new PacketPort(NAME);
      const [before, renewed] = [port.fd, jest.fn()];
      const watch = new InterfaceWatch({
        port,
        network: ONLY_PLACE,
        onRenewed: renewed,
        onRefused: () => undefined,
      });
      remake();
      refuse(fault, 1);
      jest.advanceTimersByTime(TOGETHER_MS);
      expect(renewed).not.toHaveBeenCalled();
      jest.advanceTimersByTime(AGAIN_MAX_MS);
      expect(renewed).toHaveBeenCalledWith(before);
      watch.close();
      port.close();
    },
  );

  test.each(['eintr', 'enobufs-netlink', 'emfile'] as const)(
    'is found within 100 ms by a switch (%s)',
    (fault) => {
      const ports = new Map();
      const request = readSwitchFlags(['-i', `1@${NAME}`, '--no-p4']);
      if (request.kind !== 'run') throw new Error('these flags start a switch');
      const source = portSource(request.flags, { ports } as unknown as LiveSwitch, ONLY_PLACE);
      const port = source.open(1, NAME);
      ports.set(1, port);
      const renewed = jest.fn();
      source.watch(() => source.follow(renewed));
      const before = port.fd;
      remake();
      refuse(fault, 1);
      jest.advanceTimersByTime(TOGETHER_MS);
      expect(renewed).not.toHaveBeenCalled();
      jest.advanceTimersByTime(AGAIN_MAX_MS);
      expect(renewed).toHaveBeenCalledWith(port, before);
      source.close();
      port.close();
    },
  );

  test('is asked for later each time, until the kernel answers', () => {
    const looks: number[] = [];
    const from = Date.now();
    const events = new LinkEvents(() => {
      looks.push(Date.now() - from);
      if (looks.length < 9) events.lookAgain();
    });
    jest.advanceTimersByTime(1999);
    events.close();
    jest.runAllTimers();
    const pauses = looks.slice(1).map((at, i) => at - (looks[i] ?? 0));
    expect(pauses).toEqual([TOGETHER_MS, 10, 20, 40, 80, AGAIN_MAX_MS, AGAIN_MAX_MS, AGAIN_MAX_MS]);
  });
});
