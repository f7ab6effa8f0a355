import type { Packet } from '../../../common/packet/packet';
import type { ControllerPort, ServedSwitch } from '../../../switch/server/state/served-switch';
import { V1ModelSwitch } from '../../../switch/v1model/v1model-switch';
import { CPU_PORT } from './externs-program';

/** Between one packet and the next, in ps; long enough for everything that the first sets off. */
const STEP = 1_000_000_000;
const RATE = 10_000_000_000;

/** The embedded switch with ports 0 to 4 and a CPU port, in a time that only its packets move. */
export class ServedV1Model implements ServedSwitch {
  /** Packets that have left each port, in order. */
  readonly sent: { readonly port: number; readonly hex: string }[] = [];
  private readonly inner: V1ModelSwitch;
  private receive: (bytes: Uint8Array) => void = () => undefined;
  private wakeups: { readonly port: number; readonly at: number }[] = [];
  private now = 0;

  readonly controllerPort: ControllerPort = {
    inject: (bytes) => this.arrive(CPU_PORT, bytes),
    onPacket: (receive) => {
      this.receive = receive;
    },
  };

  constructor() {
    this.inner = new V1ModelSwitch({
      ports: [0, 1, 2, 3, 4].map((port) => ({ port, rate: RATE })),
      cpuPort: CPU_PORT,
      output: {
        transmit: (port, packet) => this.sent.push({ port, hex: hexOf(packet) }),
        schedulePort: (port, [at = 0]) => this.wakeups.push({ port, at }),
        packetIn: (packet) => this.receive(packet.bytes),
      },
    });
  }

  get pipeline(): V1ModelSwitch['pipeline'] {
    return this.inner.pipeline;
  }

  get multicast(): V1ModelSwitch['multicast'] {
    return this.inner.multicast;
  }

  get cloneSessions(): V1ModelSwitch['cloneSessions'] {
    return this.inner.cloneSessions;
  }

  verifyProgram(json: string): void {
    this.inner.verifyProgram(json);
  }

  loadProgram(json: string): void {
    this.inner.loadProgram(json);
  }

  replaceProgram(json: string): boolean {
    return this.inner.replaceProgram(json);
  }

  /** A packet arrives, and everything that it sets off happens. */
  arrive(port: number, bytes: Uint8Array): void {
    this.now += STEP;
    this.inner.handlePacket(this.now, port, { bytes, length: bytes.length });
    for (let next = this.earliest(); next !== undefined; next = this.earliest()) {
      this.inner.handlePortFree(next.port, next.at);
    }
  }

  private earliest(): { readonly port: number; readonly at: number } | undefined {
    const [first, ...rest] = this.wakeups.sort((a, b) => a.at - b.at);
    this.wakeups = rest;
    return first;
  }
}

function hexOf({ bytes }: Packet): string {
  return Buffer.from(bytes).toString('hex');
}
