import { libc, standInForLibc } from '../../common/io/net/libc';
import { RING_BYTES } from '../../common/io/net/packet-ring';
import { PacketSocket } from '../../common/io/net/packet-socket';
import { givePacketsTurnsBy, letPacketsPass } from '../../common/io/packets-first';
import type { ServiceOptions } from '../../switch/server/listener';
import { ControlNetwork } from './control/control-network';
import { simulatedLibc } from './kernel/libc';
import { Process } from './kernel/process';
import { System } from './kernel/system';
import { standInForSharing } from './world';

const ANONYMOUS = 0x20;
const READ_AND_WRITE = 3;
const ADDRESS = '127.0.0.1:9001';

describe('the simulated machine', () => {
  let system: System;
  let undo: (() => void)[];
  beforeEach(() => {
    system = new System(1);
    undo = [standInForLibc(simulatedLibc(system))];
  });
  afterEach(() => undo.forEach((each) => each()));

  test('a frame that comes while a socket is closed is in the memory of nobody later', () => {
    const { interfaces, machine, memory } = system;
    const [near, far] = [interfaces.make('near', 1), interfaces.make('far', 2)];
    interfaces.connect(near, far);
    const socket = PacketSocket.open('near');
    // Half a microsecond before it arrives: so long the call takes that gives the memory back.
    interfaces.carry(far, new Uint8Array(64).fill(7));
    machine.pass(19_500);
    const calls = machine.calls;
    socket.close();
    expect(machine.calls - calls).toBe(3);
    const address = libc().mmap(RING_BYTES, READ_AND_WRITE, ANONYMOUS, -1);
    expect(memory.bytes(address, RING_BYTES).findIndex((byte) => byte !== 0)).toBe(-1);
  });

  test('work of a process gives no turn to packets of another', async () => {
    const { machine } = system;
    undo.push(...standInForSharing(machine));
    const turns: string[] = [];
    const give = (name: string): void => givePacketsTurnsBy(() => void turns.push(name));
    const [one, other] = [new Process('one'), new Process('other')];
    const acts = [
      machine.turnOf(one).then(() => give('one')),
      machine.turnOf(other).then(() => give('other')),
      machine.turnOf(one).then(() => letPacketsPass()),
    ];
    await machine.until(() => turns.length > 0, 1e6);
    await Promise.all(acts);
    expect(turns).toEqual(['one']);
  });

  test('a server that has refused a connection holds no call for it', async () => {
    const { machine, faults, trace } = system;
    const control = new ControlNetwork(machine, faults, trace);
    const path = '/p4.v1.P4Runtime/StreamChannel';
    await control.listen({
      address: ADDRESS,
      limits: { of: () => 1 },
      definition: { stream: { path, requestStream: true } },
      calls: { stream: () => undefined },
    } as unknown as ServiceOptions);
    let refuses = true;
    faults.strikes = (fault) => fault === 'connection-lost' && refuses;
    control.stranger(ADDRESS, undefined);
    expect(control.callsAt(ADDRESS)).toEqual([]);
    refuses = false;
    control.stranger(ADDRESS, undefined);
    expect(control.callsAt(ADDRESS)).toEqual(['StreamChannel']);
  });
});
