import { execFileSync } from 'node:child_process';
import {
  canMakeNamespaces,
  exchange,
  makeLeg,
  removeLeg,
  startLive,
} from '../../../support/live-network';
import { LIVE_PROGRAM } from '../../../support/own-command';
import { flow, spreadOverTwoPorts } from '../../../support/p4runtime/watched-group';
import { connectThrift } from '../../../support/thrift-clients';
import { describeIf } from '../../../support/requires';
import type { Leg } from '../../../../bench/live/test-bed';
import type { SwitchSummary } from '../../../../switch/io/start-switch';
import type { LiveProcess } from '../../../support/live-network';

const FRAMES = 16;

/** Runs a program that finds the interfaces of a namespace in /sys while it is in another. */
const withForeignSysfs = (namespace: string, program: readonly string[]): string[] => {
  const mount = `nsenter --net=/run/netns/${namespace} mount -t sysfs none /sys`;
  return ['unshare', '--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...program];
};
const SWITCH = [...LIVE_PROGRAM, 'switch'];

describeIf(
  canMakeNamespaces(),
  'members that watch links',
  'needs root and the ip command to make network namespaces',
  () => {
    let legs: Leg[];
    let device: LiveProcess;

    beforeEach(() => {
      legs = [makeLeg(), makeLeg(), makeLeg()];
    });

    const start = async (command: readonly string[] = SWITCH): Promise<void> => {
      const interfaces = legs.flatMap(({ outer }, i) => ['-i', `${i + 1}@${outer}`]);
      device = await startLive(['--no-p4', '--device-id', '1', ...interfaces], { command });
      await spreadOverTwoPorts(device.grpcAddress);
    };

    afterEach(async () => {
      await device.stop();
      legs.forEach(removeLeg);
    });

    const leg = (number: number): Leg => {
      const found = legs[number - 1];
      if (found === undefined) throw new Error(`no leg ${number}`);
      return found;
    };
    const setLink = (number: number, state: 'up' | 'down'): void =>
      void execFileSync('ip', ['link', 'set', leg(number).outer, state]);
    /** Number of the flows from port 3 that leave by a port, when so many are waited for. */
    const received = async (port: number, wanted: number): Promise<number> => {
      const frames = Array.from({ length: FRAMES }, (_, i) => flow(i));
      return (await exchange(frames, { from: leg(3), to: leg(port), wanted })).length;
    };

    /** Which ports Thrift shows with a link. */
    const links = async (): Promise<boolean[]> => {
      const thrift = connectThrift(device.thriftPort);
      const ports = await thrift.standard.bm_dev_mgr_show_ports();
      thrift.close();
      return ports.map(({ isUp }) => isUp);
    };

    test('get no packets while a link is down from the start', async () => {
      setLink(1, 'down');
      await start();
      await device.logged(/Port 1 is down/);
      expect(await received(2, FRAMES)).toBe(FRAMES);
    });

    test('lose their packets to others when the link goes, and get them back with it', async () => {
      await start();
      expect(await received(1, 1)).toBeGreaterThan(0);
      setLink(1, 'down');
      await device.logged(/Port 1 is down/);
      expect(await links()).toEqual([false, true, true]);
      expect(await received(2, FRAMES)).toBe(FRAMES);
      setLink(1, 'up');
      await device.logged(/Port 1 is up/);
      expect(await links()).toEqual([true, true, true]);
      expect(await received(1, 1)).toBeGreaterThan(0);
      const { code, lastLine } = await device.stop();
      expect(code).toBe(0);
      const { received: taken, sent, dropped } = JSON.parse(lastLine) as SwitchSummary;
      expect([sent, dropped]).toEqual([taken, {}]);
    });

    test('get packets where /sys shows the interfaces of another namespace', async () => {
      await start(withForeignSysfs(leg(1).namespace, SWITCH));
      expect(await received(1, 1)).toBeGreaterThan(0);
      setLink(1, 'down');
      await device.logged(/Port 1 is down/);
      expect(await links()).toEqual([false, true, true]);
      expect(await received(2, FRAMES)).toBe(FRAMES);
    });
  },
);
