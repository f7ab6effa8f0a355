import { startBmv2 } from '../support/bmv2-process';
import { Bmv2Dataplane } from '../support/bmv2-dataplane';
import { CPU_PORT } from '../support/p4runtime/externs-program';
import type { Dataplane, P4RuntimeTarget } from './p4runtime-target';

/** Longest time that packets may take to leave; nothing waits for it to pass where all of them come. */
const PATIENCE_MS = 60_000;

/** bmv2's simple_switch_grpc, without interfaces. */
export async function startBmv2Target(): Promise<P4RuntimeTarget> {
  const bmv2 = await startBmv2(1, undefined, ['--cpu-port', String(CPU_PORT)]);
  // bmv2 refuses the stream of packets until it has a program.
  let open: Bmv2Dataplane | undefined;
  const packets = (): Bmv2Dataplane => (open ??= new Bmv2Dataplane(bmv2.dataplane, 1));
  const dataplane: Dataplane = {
    send: (port, bytes) => packets().send({ port, bytes }),
    sent: async (count) => {
      const found: string[] = [];
      while (found.length < count) {
        const packet = await packets().receive(PATIENCE_MS);
        if (packet === undefined) break;
        found.push(`${packet.port} ${Buffer.from(packet.bytes).toString('hex')}`);
      }
      return found.sort();
    },
  };
  const stop = async (): Promise<void> => {
    open?.close();
    await bmv2.stop();
  };
  return { address: bmv2.p4runtime, deviceId: 1n, dataplane, stop };
}
