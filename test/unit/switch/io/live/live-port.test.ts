import { execFileSync } from 'node:child_process';
import { LinkTable } from '../../../../../common/io/net/link-table';
import { LivePort } from '../../../../../switch/io/live/live-port';
import { drainPort } from '../../../../support/drain-port';
import { canMakeNamespaces } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';

const NAME = `hpq${process.pid}`;
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
  'row 7: a port whose interface is deleted and made again',
  'needs root and the ip command',
  () => {
    afterEach(() => ip('link', 'del', NAME));

    test('goes on with the new one, and keeps its counts', () => {
      makePair();
      const links = new LinkTable();
      const port = new LivePort(1, NAME, undefined);
      const index = (name: string): number => links.find(name)?.index ?? 0;
      port.send(FRAME);
      port.flush();
      expect(port.follow(index(NAME))).toBe(false);
      ip('link', 'del', NAME);
      makePair();
      expect(port.follow(index(NAME))).toBe(true);
      const peer = new LivePort(2, PEER, undefined);
      port.send(FRAME);
      port.flush();
      expect(port.counters().sent).toBe(2);
      const received: number[] = [];
      drainPort(peer, 64, (frame) => {
        if (frame.length === FRAME.length) received.push(frame[5] ?? 0);
      });
      expect(received).toContain(5);
      port.close();
      peer.close();
      links.close();
    });
  },
);
