import { Random } from '../../common/random/random';
import { executorFactory } from '../codegen/executors';
import type { CompiledTexts } from '../codegen/compile';
import { keepText } from './keep-text';
import { readInThread } from './loading/read-in-thread';
import { threadReadProgram } from '../server/pipeline/thread-read-program';
import { V1ModelDevice } from '../v1model/v1model-device';
import type { Program } from '../ir/nodes';
import type { PortNumber } from '../../common/units/units';
import type { SwitchFlags } from './flags/switch-flags';
import type { PortOptions, SwitchOptions } from '../v1model/options';

/** Port numbers have 9 bits. */
const PORTS = 512;

/** The switch behind real interfaces: as its flags want it, and able to say what it runs. */
export class LiveDevice extends V1ModelDevice {
  #json = '';
  readonly #ports: ReadonlySet<PortNumber>;
  readonly #dropPort: PortNumber;
  readonly #generates: boolean;
  /** Called when another program has been loaded. */
  onProgram: () => void = () => undefined;

  /** @param compiled what switches of the process share of equal programs. */
  constructor(
    flags: SwitchFlags,
    reach: Pick<SwitchOptions, 'output' | 'log' | 'pauseStormed'>,
    compiled?: CompiledTexts,
  ) {
    const ports = portOptions(flags);
    super({ ...switchOptions(flags, compiled), ports, ...reach });
    for (const [priority, weight] of flags.queueWeights) {
      for (const port of flags.linkRates.keys()) this.queues.setWeight(weight, { port, priority });
    }
    this.#dropPort = flags.dropPort;
    this.#generates = flags.executor === 'generated';
    this.#ports = new Set(ports.map(({ port }) => port));
  }

  /** The BMv2 JSON that runs; empty when none does. */
  get json(): string {
    return this.#json;
  }

  /** True if the device has queues for the port. */
  hasPort(port: PortNumber): boolean {
    return this.#ports.has(port);
  }

  /** In a thread of its own: packets are forwarded meanwhile. */
  prepareProgram(json: string): Promise<void> {
    return readInThread({ json, dropPort: this.#generates ? this.#dropPort : undefined });
  }

  protected override readProgram(json: string): Program {
    return threadReadProgram(json);
  }

  override replaceProgram(json: string): boolean {
    const isReplaced = super.replaceProgram(json);
    if (isReplaced) this.#loaded(json);
    return isReplaced;
  }

  override loadProgram(json: string): void {
    super.loadProgram(json);
    this.#loaded(json);
  }

  #loaded(json: string): void {
    this.#json = json;
    this.onProgram();
  }
}

/** As on bmv2, all ports have queues from the start, whether or not an interface is attached. */
function portOptions(flags: SwitchFlags): PortOptions[] {
  const { linkRates, queueDepths, dropPort, cpuPort } = flags;
  const ports: PortOptions[] = [];
  for (let port = 0; port < PORTS; port++) {
    if (port === dropPort || port === cpuPort) continue;
    const rate = linkRates.get(port);
    const packets = queueDepths.get(port);
    const queue = packets === undefined ? {} : { queueLimit: { packets } };
    ports.push({
      ...(rate === undefined
        ? { pacing: 'bmv2 packets/s', port }
        : { pacing: 'bits/s', port, rate }),
      ...queue,
    });
  }
  return ports;
}

function switchOptions(
  flags: SwitchFlags,
  compiled: CompiledTexts | undefined,
): Omit<SwitchOptions, 'ports' | 'output' | 'executor'> &
  Required<Pick<SwitchOptions, 'executor'>> {
  const { queueUnitBytes: cell, cpuPort, executor } = flags;
  return {
    dropPort: flags.dropPort,
    clockUnitNs: flags.clockUnitNs,
    priorityQueues: flags.priorityQueues,
    buffer: flags.buffer,
    // Programs that draw lots must not draw the same ones in every run, as a simulation must.
    random: new Random(Date.now()),
    ...(cpuPort === undefined ? {} : { cpuPort }),
    ...(cell === undefined ? {} : { queueUnit: { kind: 'bytes', cell } }),
    executor: executorFactory(executor, { keep: keepText, ...(compiled && { compiled }) }),
  };
}
