import * as fs from 'node:fs/promises';
import { InputError } from '../../../common/errors';
import type { Link, Topology } from '../../../common/topology/topology';
import type { NetworkSpec } from '../../document/network';
import { networkSpec } from '../../document/network';
import { requireAddress } from '../connect';
import { settleEach } from '../for-each-switch';
import { readNetworkFile } from '../network-file';
import { prepareNetwork } from '../prepare';
import type { PreparedSwitch } from '../prepare';
import { ProgramFiles } from '../program-files';
import { portsDown } from '../queue-records';
import { Alarm } from '../../p4runtime/alarm';
import { reachOf, SwitchKeeper } from './switch-keeper';
import type { SwitchKeeperOptions } from './switch-keeper';

export interface WatchOptions extends Omit<SwitchKeeperOptions, 'folder'> {
  /** Called when the document has changed, when it cannot be used, and for links that come and go. */
  readonly onNetwork: (event: NetworkEvent) => void;
  /** Interval at which document and links are looked at, in ms. */
  readonly poll: number;
}

export type NetworkEvent =
  | { readonly kind: 'document'; readonly switches: number }
  | { readonly kind: 'document-refused'; readonly reason: string }
  | { readonly kind: 'links-down'; readonly links: readonly string[] };

/**
 * Keeps all switches of a document at what it says, and follows the document and the links: a new
 * version is taken when it has no fault, and routes avoid links that a switch reports as down.
 */
export class NetworkWatch {
  private keepers: SwitchKeeper[] = [];
  private readonly alarm = new Alarm();
  private stopped = false;
  private running: Promise<void> | undefined;
  private version = '';
  private down = '';

  private constructor(
    private readonly file: string,
    private readonly options: WatchOptions,
    private current: {
      readonly folder: string;
      readonly programs: ProgramFiles;
      readonly spec: NetworkSpec;
      readonly switches: readonly PreparedSwitch[];
    },
  ) {}

  /** @throws InputError when the document cannot be used. */
  static async start(file: string, options: WatchOptions): Promise<NetworkWatch> {
    const version = await versionOf(file);
    const watch = new NetworkWatch(file, options, await load(file));
    watch.version = version;
    await watch.replaceKeepers();
    watch.running = watch.run();
    return watch;
  }

  /** Ends all connections; resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.alarm.ring();
    await this.running;
    await Promise.all(this.keepers.map((each) => each.stop()));
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.alarm.wait(this.options.poll);
      if (this.stopped) return;
      await this.followDocument();
      await this.followLinks();
    }
  }

  private async followDocument(): Promise<void> {
    const version = await versionOf(this.file);
    if (version === this.version) return;
    this.version = version;
    try {
      this.current = await load(this.file);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.options.onNetwork({ kind: 'document-refused', reason: error.message });
      return;
    }
    this.down = '';
    await this.replaceKeepers();
    this.options.onNetwork({ kind: 'document', switches: this.current.switches.length });
  }

  private async followLinks(): Promise<void> {
    const { spec, switches, programs } = this.current;
    const reports = await settleEach(switches, (each) => portsDown(each, this.options.deadline));
    const ends = new Set<string>();
    reports.forEach((report, i) => {
      // A switch that does not answer says nothing of its links; its keeper tells of it.
      if (report.status !== 'fulfilled') return;
      for (const port of report.value) ends.add(`${switches[i]?.spec.node.name}:${port}`);
    });
    const topology = withLinksDown(spec.topology, ends);
    const links = topology.links.filter(({ up }) => up === false).map(linkName);
    if (links.join() === this.down) return;
    this.down = links.join();
    this.options.onNetwork({ kind: 'links-down', links });
    const prepared = await prepareNetwork({ ...spec, topology }, programs);
    prepared.forEach((each, i) => this.keepers[i]?.update(each));
  }

  /** Keepers of switches that are reached as before go on, so that nobody else takes over. */
  private async replaceKeepers(): Promise<void> {
    const { folder, switches } = this.current;
    const former = new Map(this.keepers.map((each) => [each.reach, each]));
    this.keepers = switches.map((each) => {
      const found = former.get(reachOf(each));
      former.delete(reachOf(each));
      found?.update(each);
      return found ?? new SwitchKeeper(each, { ...this.options, folder });
    });
    await Promise.all([...former.values()].map((each) => each.stop()));
    for (const keeper of this.keepers) keeper.start();
  }
}

async function load(file: string): Promise<NetworkWatch['current']> {
  const { folder, document } = await readNetworkFile(file);
  const programs = new ProgramFiles(folder);
  const spec = networkSpec(document);
  for (const { node } of spec.switches) requireAddress(node);
  return { folder, programs, spec, switches: await prepareNetwork(spec, programs) };
}

/** Changes whenever the file does. */
async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size } = await fs.stat(file);
    return `${mtimeMs} ${size}`;
  } catch {
    return 'missing';
  }
}

function withLinksDown(topology: Topology, ends: ReadonlySet<string>): Topology {
  const isDown = ({ a, b }: Link): boolean =>
    [a, b].some(({ node, port }) => ends.has(`${node}:${port}`));
  const links = topology.links.map((each) => (isDown(each) ? { ...each, up: false } : each));
  return { ...topology, links };
}

const linkName = ({ a, b }: Link): string => `${a.node}:${a.port} - ${b.node}:${b.port}`;
