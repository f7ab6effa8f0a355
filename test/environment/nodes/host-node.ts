import { isOperationalError } from '../../../common/errors';
import { runAgent } from '../../../host-agent/io/live/run-agent';
import type { AgentReport } from '../../../host-agent/io/live/run-agent';
import type { ReceivedFlow } from '../../../host-agent/io/live/flow-payload';
import type { GivenHost } from '../../../host-agent/io/live/run-agent';
import type { SendOptions } from '../../../host-agent/io/options/send-options';
import { DISK } from '../kernel/files';
import { Process } from '../kernel/process';
import type { World } from '../world';
import { NodeEnvironment } from './places';
import type { HostPlace } from './places';

/** After so long somebody starts an agent again that could not start, in ms. */
const AGAIN_MS = 100;
/** Time that a flow goes on without any acknowledgement, in seconds. */
const PATIENCE_SECONDS = 1;

/** End of a flow. */
export type FlowEnd =
  | { readonly kind: 'finished'; readonly report: AgentReport }
  | { readonly kind: 'failed'; readonly reason: string };

/** `hpcc agent` at a host, or one `hpcc send` after the other. */
export class HostNode {
  /** Flows that its agents have received whole. */
  readonly received: ReceivedFlow[] = [];
  readonly ends: FlowEnd[] = [];
  readonly reports: AgentReport[] = [];
  readonly process: Process;
  #flowsWaiting = 0;
  #isReady = false;
  /** Whoever stops takes back all wishes before. */
  #wishes = 0;
  #environment: NodeEnvironment | undefined;
  #busy: Promise<void> = Promise.resolve();

  constructor(
    readonly place: HostPlace,
    private readonly world: World,
  ) {
    this.process = new Process(place.name);
  }

  /** Flows that have neither finished nor failed. */
  get flowsWaiting(): number {
    return this.#flowsWaiting;
  }

  /** True if its agent receives. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Receives until it is stopped. */
  receive(): void {
    this.#attempt(++this.#wishes);
  }

  /** Sends a flow when those before have ended. */
  send(to: HostPlace, flow: { readonly bytes: number; readonly id: number }): void {
    this.#flowsWaiting += 1;
    const send: SendOptions = {
      destination: to.address,
      peerMac: to.mac,
      parallel: 1,
      firstFlow: flow.id,
      amount: { kind: 'bytes', bytes: flow.bytes },
      timeoutSeconds: PATIENCE_SECONDS,
      intervalSeconds: 1,
    };
    this.#busy = this.#inTurn(async () => {
      const report = await this.#run(send);
      this.#flowsWaiting -= 1;
      if (typeof report === 'string') this.#ended({ kind: 'failed', reason: report });
      else this.#ended({ kind: 'finished', report });
    });
  }

  /** Asks what runs to end. */
  async stop(): Promise<void> {
    this.#wishes += 1;
    // What runs now, and not what may run by the time that a stopped process has its turn.
    const environment = this.#environment;
    const busy = this.#busy;
    await this.world.system.machine.turnOf(this.process);
    environment?.terminate();
    await busy;
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    await this.#busy;
    await this.world.system.machine.turnOf(this.process);
    await act();
  }

  #attempt(wish: number): void {
    this.#busy = this.#inTurn(async () => {
      if (wish !== this.#wishes) return;
      const report = await this.#run(undefined);
      if (typeof report === 'string') setTimeout(() => this.#attempt(wish), AGAIN_MS);
    });
  }

  #ended(end: FlowEnd): void {
    const text = end.kind === 'failed' ? `flow failed: ${end.reason}` : 'flow finished';
    this.world.note(this.place.name, text);
    this.ends.push(end);
  }

  /** @returns the report of a whole run, or why there was none. */
  async #run(send: SendOptions | undefined): Promise<AgentReport | string> {
    const { world, place } = this;
    const environment = new NodeEnvironment((_, line) => this.#heard(line));
    this.#environment = environment;
    const run = {
      agent: this.#options(send !== undefined),
      ...(send && { send }),
      staysOn: send === undefined,
    };
    try {
      const report = await runAgent(run, environment);
      this.reports.push(report);
      return report;
    } catch (error) {
      // An agent that receives has nothing that could fail once it is ready.
      const isDefect = !isOperationalError(error) || (send === undefined && this.#isReady);
      if (isDefect) world.violated(`${place.name} failed`, error);
      return (error as Error).message;
    } finally {
      this.#isReady = false;
      this.#environment = undefined;
    }
  }

  #options(isSender: boolean): GivenHost {
    const { address, mac, interfaceName, name } = this.place;
    return {
      interface: interfaceName,
      address,
      mac,
      linkRateBps: 1e9,
      baseRttUs: 500,
      rtoMs: 5,
      hopLimit: 4,
      pfcWatchdogMs: 100,
      checksum: true,
      logLevel: 'info',
      ...(isSender && { logFile: `${DISK}/${name}.log`, trace: `${DISK}/${name}.trace` }),
    };
  }

  #heard(line: string): void {
    const { msg, time: _time, pid: _pid, ...facts } = JSON.parse(line) as Line;
    this.world.note(this.place.name, `${msg} ${JSON.stringify(facts)}`);
    if (msg === 'ready') this.#isReady = true;
    if (msg === 'flow is received') this.received.push(facts as unknown as ReceivedFlow);
  }
}

/** A line of a log. */
interface Line extends Readonly<Record<string, unknown>> {
  readonly msg: string;
}
