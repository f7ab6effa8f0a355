import { spawnSync, spawn } from 'node:child_process';
import { InputError } from '../../common/errors';
import { formatIpv4, formatMac } from '../../common/topology/topology';
import { topologyDocument } from '../../controller/document/topology-document';
import { applyDocument } from '../../controller/io/apply-network';
import { planNetwork } from '../../emulator/network/plan';
import { expandTopology } from '../../emulator/scenario/expand-topology';
import { startSwitchProcess } from './switch-process';
import type { SwitchProcess } from './switch-process';
import { makeLeg, removeLeg } from './test-bed';
import type { Leg } from './test-bed';
import type { ChildProcess } from 'node:child_process';

/** A host of the live network: the namespace, and the address that the topology gives it. */
export interface StarHost {
  readonly leg: Leg;
  readonly address: string;
}

/** Hosts 1 to n on ports 1 to n of one switch. */
export interface HostStar {
  readonly hosts: readonly StarHost[];
  readonly device: SwitchProcess;
  stop(): Promise<void>;
}

const DEADLINE_MS = 20_000;
const HOST_NETWORK = 0x0a00_0000;
const HOST_MAC = 0x0201_0000_0000;
const SWITCH_MAC = 0x0200_0001_0000;

/** Starts a switch that runs hpcc.p4; the link to host 1 has the rate, the others 1 Gb/s. */
export async function startStar(
  command: readonly string[],
  { hosts: count, bottleneckGbps }: { readonly hosts: number; readonly bottleneckGbps: number },
): Promise<HostStar> {
  const hosts: StarHost[] = [];
  let device: SwitchProcess | undefined;
  const stop = async (): Promise<void> => {
    await device?.stop();
    hosts.forEach(({ leg }) => removeLeg(leg));
  };
  try {
    for (let n = 1; n <= count; n++) hosts.push(makeHost(n, count));
    device = await startSwitchProcess(
      command,
      hosts.map(({ leg }) => leg.outer),
    );
    await setUp(device.address, count, bottleneckGbps);
    return { hosts, device, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The host's interface gets its address, and the switch as its neighbour for all others. */
function makeHost(n: number, count: number): StarHost {
  const leg = makeLeg();
  const address = formatIpv4(HOST_NETWORK + n);
  const ip = (...args: readonly string[]): void => ipIn(leg.namespace, ...args);
  ip('link', 'set', leg.inner, 'address', formatMac(HOST_MAC + n));
  ip('addr', 'add', `${address}/24`, 'dev', leg.inner);
  for (let peer = 1; peer <= count; peer++) {
    if (peer === n) continue;
    const neighbour = formatIpv4(HOST_NETWORK + peer);
    const mac = formatMac(SWITCH_MAC + n);
    ip('neigh', 'add', neighbour, 'lladdr', mac, 'dev', leg.inner, 'nud', 'permanent');
  }
  return { leg, address };
}

async function setUp(address: string, hosts: number, bottleneckGbps: number): Promise<void> {
  const links = Array.from({ length: hosts }, (_, i) => ({
    between: ['s1', `h${i + 1}`] as [string, string],
    rateGbps: i === 0 ? bottleneckGbps : 1,
    delayNs: 1000,
    lossRate: 0,
  }));
  const plain = expandTopology({
    kind: 'custom',
    switches: ['s1'],
    hosts: links.map(({ between }) => between[1]),
    links,
  });
  // bmv2's units, which both switches have by default.
  const units = { clockUnitNs: 1000, queueDepthUnitBytes: 1024, txUnitBytes: 1 };
  const { topology } = planNetwork(plain, units);
  await applyDocument(
    topologyDocument(topology, () => address),
    DEADLINE_MS,
  );
}

/** @throws InputError with what the ip command says against it. */
export function ipIn(namespace: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', ['-n', namespace, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new InputError(`ip ${args.join(' ')}: ${stderr}`);
}

/** A command of the host command line that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the host command line that runs. */
export interface RunningHost {
  readonly child: ChildProcess;
  /** Resolves with the match once the log has it. */
  logged(pattern: RegExp): Promise<RegExpExecArray>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

/** Starts `hpcc agent` or `hpcc send` by that command line. */
export function startHostProcess(command: readonly string[]): RunningHost {
  const [executable = '', ...args] = command;
  const child = spawn(executable, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  child.stdout.on('data', (piece: Buffer) => (text.stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => {
    text.stderr += piece.toString();
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...text }));
  });
  const logged = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text.stderr);
        if (found !== null) resolve(found);
      };
      listeners.add(look);
      void ended.then(() => reject(new Error(`ended without ${pattern}: ${text.stderr}`)));
      look();
    });
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { child, logged, stop, ended };
}

/** Whatever of them runs still when this is over, for what reason ever, runs no more. */
export async function withHostProcesses<Result>(
  use: (start: typeof startHostProcess) => Promise<Result>,
): Promise<Result> {
  const started: RunningHost[] = [];
  try {
    return await use((command) => {
      const host = startHostProcess(command);
      started.push(host);
      return host;
    });
  } finally {
    await Promise.all(started.map((each) => each.stop('SIGKILL')));
  }
}
