import { execFileSync } from 'node:child_process';
import { WaitSet } from '../../../../../common/io/loop/wait-set';
import { LinkTable } from '../../../../../common/io/net/link-table';
import { PacketPort } from '../../../../../host-agent/io/net/packet-port';
import { canMakeNamespaces } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';

const NAME = `hpp${process.pid}`;
const PEER = `${NAME}b`;
const FRAME = Uint8Array.from({ length: 60 }, (_, i) => i);

const ip = (...args: string[]): void => void execFileSync('ip', args);

function makePair(): void {
  ip('link', 'add', NAME, 'type', 'veth', 'peer', 'name', PEER);
  ip('link', 'set', NAME, 'up');
  ip('link', 'set', PEER, 'up');
}

describeIf(
  canMakeNamespaces(),
  'a host whose link goes down',
  'needs root and the ip command',
  () => {
    afterEach(() => ip('link', 'del', NAME));

    test('sleeps again once the error that this leaves at its socket is read', () => {
      makePair();
      const port = new PacketPort(NAME);
      const wait = new WaitSet();
      wait.add(port.fd, 0);
      const isWoken = (): boolean => {
        let woken = false;
        wait.look(() => (woken = true));
        return woken;
      };
      port.drainAll(1000, () => undefined);
      ip('link', 'set', NAME, 'down');
      while (port.drainAll(1000, () => undefined) > 0);
      expect(isWoken()).toBe(true);
      port.forgetError();
      expect(isWoken()).toBe(false);
      wait.close();
      port.close();
    });
  },
);

describeIf(
  canMakeNamespaces(),
  'row 7: a host whose interface is deleted and made again',
  'needs root and the ip command',
  () => {
    afterEach(() => ip('link', 'del', NAME));

    test('goes on with the new one, and keeps its counts', () => {
      makePair();
      const links = new LinkTable();
      const port = new PacketPort(NAME);
      const index = (): number => links.find(NAME)?.index ?? 0;
      const send = (): void => {
        port.send({ bytes: FRAME, length: FRAME.length });
        port.flush();
      };
      send();
      expect(port.follow(index())).toBe(false);
      ip('link', 'del', NAME);
      makePair();
      const peer = new PacketPort(PEER);
      send();
      expect(port.counters()).toMatchObject({ sent: 1, sendFailed: 1 });
      expect(port.follow(index())).toBe(true);
      send();
      expect(port.counters()).toMatchObject({ sent: 2, sendFailed: 1 });
      const arrived: number[] = [];
      peer.drainAll(64, (frame) => void arrived.push(frame[5] ?? 0));
      expect(arrived).toContain(5);
      for (const each of [port, peer, links]) each.close();
    });
  },
);
