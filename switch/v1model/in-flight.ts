import type { Packet } from '../../common/packet/packet';
import type { PortNumber } from '../../common/units/units';
import type { Executor, PacketState } from '../executor/executor';

/** A packet between reception and transmission. Objects are reused; {@link FlightPool} owns them. */
export interface InFlight {
  readonly state: PacketState;
  /** As it came to the parser. */
  packet: Packet;
  ingressPort: PortNumber;
  /** When it entered its queue, in ticks of the switch's clock. */
  enqueuedTicks: number;
  /** The queue that it waits in. */
  priority: number;
  /**
   * Number of times that the packet, or what it is a copy of, was copied or sent back to ingress.
   */
  passes: number;
  /** True while the packet is in a queue. */
  waits: boolean;
}

/** In the place of a packet that has left. */
export const NO_PACKET: Packet = { bytes: new Uint8Array(0), length: 0 };

/**
 * Idle objects by the kind of their states.
 * PERF: most packets leave in the step in which they came, so switches that share what is idle need one
 * object, which stays in the processor's first cache. Each with one of its own, a fabric read them from memory.
 */
const IDLE = new WeakMap<object, InFlight[]>();

/** Pool of one program's packets in flight; their earlier contents are undefined. */
export class FlightPool {
  readonly #executor: Executor;
  readonly #idle: InFlight[];

  constructor(executor: Executor) {
    const { stateKind } = executor;
    this.#executor = executor;
    this.#idle = IDLE.get(stateKind) ?? [];
    IDLE.set(stateKind, this.#idle);
  }

  take(): InFlight {
    return this.#idle.pop() ?? this.#create();
  }

  give(flight: InFlight): void {
    flight.packet = NO_PACKET;
    this.#idle.push(flight);
  }

  #create(): InFlight {
    const state = this.#executor.createState();
    return {
      state,
      packet: NO_PACKET,
      ingressPort: 0,
      enqueuedTicks: 0,
      priority: 0,
      passes: 0,
      waits: false,
    };
  }
}
