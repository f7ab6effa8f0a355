import { isOperationalError } from '../../../common/errors';
import { openLog } from '../../../common/io/log';
import type { OpenLog } from '../../../common/io/log';
import { ONLY_PLACE } from '../../../common/io/net/network-place';
import { CompiledTexts } from '../../../switch/codegen/compile';
import { readSwitchFlags } from '../../../switch/io/flags/switch-flags';
import type { SwitchFlags } from '../../../switch/io/flags/switch-flags';
import { startSwitch } from '../../../switch/io/start-switch';
import type { RunningSwitch, SwitchSummary } from '../../../switch/io/start-switch';
import { DISK } from '../kernel/files';
import { Process } from '../kernel/process';
import type { World } from '../world';
import { NodeEnvironment } from './places';
import type { SwitchPlace } from './places';

/** Somebody starts a switch that could not start again, after so long, in ms. */
const AGAIN_MS = 100;

/** Programs are compiled once for all seeds. */
const COMPILED = new CompiledTexts();

const PORT_EVENT = /^Port (\d+) is (up|down)$/;

export interface SwitchOptions {
  readonly captures: boolean;
  /** Its queues pause their senders, and it obeys pauses. */
  readonly isLossless: boolean;
}

/** `hpcc switch` and whoever sees to it that it runs. */
export class SwitchNode {
  /** Ports that the switch has reported as down. */
  readonly portsDown = new Set<number>();
  readonly summaries: SwitchSummary[] = [];
  readonly process: Process;
  #isWanted = true;
  #running: RunningSwitch | undefined;
  #log: OpenLog | undefined;
  #busy: Promise<void> = Promise.resolve();

  constructor(
    readonly place: SwitchPlace,
    private readonly world: World,
    private readonly options: SwitchOptions,
  ) {
    this.process = new Process(place.name);
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  start(): void {
    this.#isWanted = true;
    this.#soon();
  }

  stop(): Promise<void> {
    this.#isWanted = false;
    this.#busy = this.#inTurn(() => this.#end());
    return this.#busy;
  }

  #soon(): void {
    this.#busy = this.#inTurn(() => this.#attempt());
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    await this.#busy;
    await this.world.system.machine.turnOf(this.process);
    await act();
  }

  async #attempt(): Promise<void> {
    if (!this.#isWanted || this.#running !== undefined) return;
    const { world, place } = this;
    this.portsDown.clear();
    const environment = new NodeEnvironment((_, line) => this.#heard(line));
    const file = `${DISK}/${place.name}.log`;
    try {
      this.#log = openLog('hpcc-switch', { level: 'info', console: 2, file }, environment);
      const reports = {
        log: this.#log.log,
        warn: (sentence: string) => world.note(place.name, sentence),
        failed: (error: unknown) => world.violated(`${place.name} ended by itself`, error),
      };
      const { listen } = world.control;
      const sharing = { network: ONLY_PLACE, compiled: COMPILED, listen };
      this.#running = await startSwitch(this.#flags(), reports, sharing);
    } catch (error) {
      this.#log?.close();
      this.#log = undefined;
      if (!isOperationalError(error)) world.violated(`${place.name} could not start`, error);
      world.note(place.name, `could not start: ${(error as Error).message}`);
      setTimeout(() => this.#soon(), AGAIN_MS);
    }
  }

  async #end(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    try {
      this.summaries.push(await running.stop());
    } catch (error) {
      this.world.violated(`${this.place.name} could not stop`, error);
    }
    this.#log?.close();
    this.#log = undefined;
  }

  #flags(): SwitchFlags {
    const { ports, deviceId, address } = this.place;
    const request = readSwitchFlags([
      ...Object.entries(ports).flatMap(([port, name]) => ['-i', `${port}@${name}`]),
      '--no-p4',
      '--device-id',
      String(deviceId),
      '--grpc-server-addr',
      address,
      '--limit',
      'keepalive-seconds=1',
      ...(this.options.captures ? ['--pcap', DISK] : []),
      ...(this.options.isLossless ? losslessFlags(Object.keys(ports)) : []),
    ]);
    if (request.kind !== 'run') throw new Error('these flags start a switch');
    return { ...request.flags, thriftPort: undefined };
  }

  #heard(line: string): void {
    const { msg = '' } = JSON.parse(line) as { readonly msg?: string };
    this.world.note(this.place.name, msg);
    const [, port, state] = PORT_EVENT.exec(msg) ?? [];
    if (port === undefined) return;
    const isUp = state === 'up';
    if (isUp) this.portsDown.delete(Number(port));
    else this.portsDown.add(Number(port));
    this.world.portTold(this, Number(port), isUp);
  }
}

/** Memory that ports share and pauses; the watchdog acts while storms of the simulation go on. */
const losslessFlags = (ports: readonly string[]): readonly string[] => [
  ...ports.flatMap((port) => ['--link-rate-bps', `${port}=1000000000`]),
  '--buffer-bytes',
  '8000000',
  '--pfc-priorities',
  '0',
  '--pfc-watchdog-ms',
  '40',
  '--pfc-restore-ms',
  '40',
];
