import { InputError } from '../../common/errors';
import { topologyDocument } from '../../controller/document/topology-document';
import { applyDocument } from '../../controller/io/apply-network';
import { planNetwork } from '../../emulator/network/plan';
import { expandTopology } from '../../emulator/scenario/expand-topology';
import { startSwitchGroup, startSwitchProcess } from './switch-process';
import type { SwitchProcess } from './switch-process';
import { makeCable, makeLeg, removeCable, removeLeg } from './test-bed';
import type { Leg } from './test-bed';

const DEADLINE_MS = 20_000;

/** Switches in a row. */
export interface ChainShape {
  /** Command that starts one switch; without one, embedded switches share one process. */
  readonly command?: readonly string[];
  readonly switches: number;
}

/** Switches that run hpcc.p4 in a row between two hosts. */
export interface Chain {
  readonly sender: Leg;
  readonly receiver: Leg;
  /** Processor time of all their processes so far. */
  cpuSeconds(): number;
  /** Memory that all their processes occupy now. */
  residentBytes(): number;
}

/**
 * Starts switches in a row between two namespaces, configures them and takes everything away after
 * `use`. The first one is beside the sender.
 * @throws InputError without root rights.
 */
export async function withChain<Result>(
  { command, switches: count }: ChainShape,
  use: (chain: Chain) => Promise<Result>,
): Promise<Result> {
  if (process.getuid?.() !== 0) {
    throw new InputError('needs root, because it makes network namespaces');
  }
  const undo: (() => Promise<void> | void)[] = [];
  try {
    const receiver = makeLeg();
    undo.push(() => removeLeg(receiver));
    const sender = makeLeg();
    undo.push(() => removeLeg(sender));
    // Port 1 of a switch leads to the receiver, port 2 to the sender.
    const ports: [string, string][] = [];
    let before = sender.outer;
    for (let i = 1; i < count; i++) {
      const cable = makeCable();
      undo.push(() => removeCable(cable));
      ports.push([cable[0], before]);
      before = cable[1];
    }
    ports.push([receiver.outer, before]);
    const devices = await startAll(command, ports, (device) => undo.push(() => device.stop()));
    await setUp(devices.map(({ address }) => address));
    const counted = command === undefined ? devices.slice(0, 1) : devices;
    const sum = (of: (device: SwitchProcess) => number): number =>
      counted.reduce((total, each) => total + of(each), 0);
    return await use({
      sender,
      receiver,
      cpuSeconds: () => sum((each) => each.cpuSeconds()),
      residentBytes: () => sum((each) => each.residentBytes()),
    });
  } finally {
    for (const act of undo.reverse()) await act();
  }
}

async function startAll(
  command: readonly string[] | undefined,
  ports: readonly (readonly string[])[],
  started: (device: SwitchProcess) => void,
): Promise<SwitchProcess[]> {
  if (command === undefined) {
    const group = await startSwitchGroup(ports);
    group.slice(0, 1).forEach(started);
    return group;
  }
  const devices: SwitchProcess[] = [];
  for (const [i, names] of ports.entries()) {
    const device = await startSwitchProcess(command, names, i + 1);
    started(device);
    devices.push(device);
  }
  return devices;
}

async function setUp(addresses: readonly string[]): Promise<void> {
  // bmv2's units, which both switches have by default.
  const units = { clockUnitNs: 1000, queueDepthUnitBytes: 1024, txUnitBytes: 1 };
  const names = addresses.map((_, i) => `s${i + 1}`);
  const line = ['h1', ...names.toReversed(), 'h2'];
  const links = line.slice(1).map((name, i) => ({
    between: [name, line[i] ?? ''] as [string, string],
    rateGbps: 10,
    delayNs: 1000,
    lossRate: 0,
  }));
  const topology = expandTopology({
    kind: 'custom',
    switches: names,
    hosts: ['h1', 'h2'],
    links,
  });
  const { topology: planned } = planNetwork(topology, units);
  const addressOf = new Map(names.map((name, i) => [name, addresses[i]]));
  await applyDocument(
    topologyDocument(planned, ({ name }) => addressOf.get(name)),
    DEADLINE_MS,
  );
}
