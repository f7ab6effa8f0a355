import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import type { Packet } from '../../../../common/packet/packet';
import type { SwitchOptions } from '../../../../switch/v1model/options';

/** A transmission as the switch announced it. */
export interface Sent {
  readonly port: number;
  readonly packet: Packet;
  readonly start: number;
  readonly end: number;
}

/** A switch in a world where every wake-up happens in time. */
export class Network {
  readonly switch: V1ModelSwitch;
  readonly sent: Sent[] = [];
  #wakeups: { port: number; at: number }[] = [];

  constructor(
    options: Omit<SwitchOptions, 'output'>,
    packetIn: (packet: Packet) => void = () => undefined,
  ) {
    this.switch = new V1ModelSwitch({
      ...options,
      output: {
        transmit: (port, packet, start, [end = NaN]) => {
          this.sent.push({ port, packet, start, end });
        },
        schedulePort: (port, [at = 0]) => {
          this.#wakeups.push({ port, at });
        },
        packetIn,
      },
    });
  }

  /** Wake-ups that are still due. */
  get pending(): readonly { readonly port: number; readonly at: number }[] {
    return this.#wakeups;
  }

  /** Lets everything happen that is due before `now`, then delivers the packet. */
  arrive(now: number, port: number, packet: Packet): void {
    this.advance(now - 1);
    this.switch.handlePacket(now, port, packet);
  }

  /** Lets everything happen that is due until `now`. */
  advance(now = Infinity): void {
    for (;;) {
      this.#wakeups.sort((a, b) => a.at - b.at);
      const next = this.#wakeups[0];
      if (next === undefined || next.at > now) return;
      this.#wakeups = this.#wakeups.slice(1);
      this.switch.handlePortFree(next.port, next.at);
    }
  }
}
