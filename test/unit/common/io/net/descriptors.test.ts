import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Descriptors } from '../../../../../common/io/net/descriptors';

const socket = (): Socket => new EventEmitter() as Socket;

describe('attack 5: descriptors of a process', () => {
  test('are left to controllers by other connections, and by all to the rest', () => {
    const files = 100;
    const sockets: Socket[] = [];
    const all = new Descriptors(256, () => files + sockets.length);
    const take = (purpose: 'control' | 'other'): boolean => {
      const one = socket();
      sockets.push(one);
      return all.isOneTooMany(one, purpose);
    };
    while (!take('other'));
    expect(256 - files - sockets.length).toBe(31);
    while (!take('control'));
    expect(256 - files - sockets.length).toBe(15);
    for (const one of sockets.splice(0, 30)) one.emit('close');
    expect(take('other')).toBe(false);
  });

  test('are all in use when none is left to count them by', () => {
    const all = new Descriptors(256, () => {
      throw new Error('EMFILE');
    });
    expect(all.isOneTooMany(socket(), 'control')).toBe(true);
  });

  test('are without end where the system says no bound', () => {
    const all = new Descriptors(Infinity, () => 1e6);
    expect(all.isOneTooMany(socket(), 'other')).toBe(false);
  });
});
