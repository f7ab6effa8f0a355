import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../common/io/net/free-port';
import { ATTACKS } from '../live/attacks';
import type { Attack } from '../live/attacks';
import { findBmv2 } from '../live/bmv2-binary';
import { withForwarding } from '../live/forwarding';
import { LOAD, underLoad } from '../live/under-load';
import type { UnderLoad } from '../live/under-load';
import { embeddedSwitch } from '../live/switch-process';
import type { TestBed } from '../live/forwarding';

/** Duration of each attack, in ms. */
const ATTACK_MS = 4000;

interface Attacked extends UnderLoad {
  /** Answers that the clients got. */
  readonly answers: number;
}

/**
 * 20,000 packets/s through hpcc.p4 while 16 clients attack one door of the switch after the other, without niceness of
 * anybody but the sender; the embedded switch and bmv2, which has no metrics, one after the other.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 * @throws InputError without root rights or tcpdump.
 */
export async function benchSwitchBesideClients(bmv2Name: string): Promise<object> {
  const metrics = await freePort();
  const own = [...embeddedSwitch(), '--metrics', `127.0.0.1:${metrics}`];
  const embedded = await withForwarding(own, (bed) => attackAll(bed, metrics));
  const figures = { packetsPerSecond: LOAD.rate, clients: 16, embedded };
  const binary = findBmv2(bmv2Name);
  if (binary === undefined) return { ...figures, bmv2: `there is no ${bmv2Name}` };
  const bmv2 = await withForwarding([binary.path], (bed) => attackAll(bed, undefined));
  return { ...figures, bmv2: { ...binary, ...bmv2 } };
}

async function attackAll(
  bed: TestBed,
  metrics: number | undefined,
): Promise<Readonly<Record<string, UnderLoad>>> {
  const nobody = await underLoad(bed, () => pause());
  const all: Record<string, UnderLoad> = { nobody };
  for (const attack of ATTACKS) {
    const address = addressOf(attack, bed, metrics);
    if (address !== undefined) all[attack] = await attacked(bed, attack, address);
  }
  return all;
}

function addressOf(
  attack: Attack,
  { device }: TestBed,
  metrics: number | undefined,
): string | undefined {
  if (attack.startsWith('Thrift')) return device.thriftAddress;
  if (attack.startsWith('P4Runtime')) return device.address;
  return metrics === undefined ? undefined : `127.0.0.1:${metrics}`;
}

async function attacked(bed: TestBed, attack: Attack, address: string): Promise<Attacked> {
  const [host = '', port = ''] = address.split(':');
  const program = path.join(__dirname, '..', 'live', 'hostile-clients.js');
  let answers = 0;
  const load = await underLoad(bed, async () => {
    const running = promisify(execFile)(process.execPath, [program, attack, host, port]);
    void pause().then(() => running.child.kill('SIGTERM'));
    const { stdout } = await running;
    answers = Number(stdout);
  });
  return { ...load, answers };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ATTACK_MS));
