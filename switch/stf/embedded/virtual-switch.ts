import { assert } from '../../../common/assert';
import { Random } from '../../../common/random/random';
import { PS_PER_SECOND, PS_PER_US } from '../../../common/units/units';
import { V1ModelSwitch } from '../../v1model/v1model-switch';
import type { Duration, Instant, PortNumber } from '../../../common/units/units';
import type { ExecutorFactory } from '../../executor/executor';
import type { ProgramState } from '../../state/program-state';
import type { PortOptions } from '../../v1model/options';
import type { DigestMessage, PortPacket, StfReply, StfRequest } from '../run/requests';

/** All ports that there can be, without any limit to their rates. */
const ALL_PORTS: readonly PortOptions[] = Array.from({ length: 511 }, (_, port) => ({
  pacing: 'bmv2 packets/s',
  port,
}));

/** Queues per port: one for each of the 8 priorities. */
const PRIORITY_QUEUES = 8;

/** Seed of the program's random values. */
const SEED = 1;

/** Tests begin one second after the clock's origin, as the time 0 could pass for "not set". */
const START: Instant = PS_PER_SECOND;

/** Packets of one burst arrive this far apart: a tick of bmv2's clock. */
const SPACING: Duration = PS_PER_US;

/** A packet that has left; its first bit did at `at`. */
interface SentPacket extends PortPacket {
  readonly at: Instant;
}

/** An embedded switch in a world of its own, where every wake-up comes in time. */
export class VirtualSwitch {
  readonly device: V1ModelSwitch;
  readonly state: ProgramState;
  /** All packets that have left, in order of departure. */
  readonly sent: SentPacket[] = [];
  /** Texts of `log_msg` so far. */
  readonly log: string[] = [];
  /** Digests so far. */
  readonly digests: DigestMessage[] = [];
  #now = START;
  #wakeups: { readonly port: PortNumber; readonly at: Instant }[] = [];

  /**
   * @param ports all 511, without limits to their rates, unless given.
   * @throws InputError when the switch cannot run the program.
   */
  constructor(json: string, executor: ExecutorFactory, ports = ALL_PORTS) {
    this.device = new V1ModelSwitch({
      ports,
      priorityQueues: PRIORITY_QUEUES,
      random: new Random(SEED),
      executor,
      log: (message) => this.log.push(message),
      output: {
        transmit: (port, { bytes }, at) =>
          this.sent.push({ port, bytes: Uint8Array.from(bytes), at }),
        schedulePort: (port, [at = 0]) => this.#wakeups.push({ port, at }),
      },
    });
    this.device.loadProgram(json);
    const state = this.device.pipeline;
    assert(state !== undefined, 'a switch that has loaded a program runs it');
    this.state = state;
    state.onDigest((name, values) => this.digests.push({ name, values }));
  }

  get now(): Instant {
    return this.#now;
  }

  /** Lets a packet arrive a little after the one before, or at an instant that has not passed. */
  send({ port, bytes }: PortPacket, at = this.#now + SPACING): void {
    assert(at >= this.#now, 'packets arrive in order of time');
    this.#advance(at);
    this.device.handlePacket(this.#now, port, { bytes, length: bytes.length });
  }

  /** Lets everything come out that is under way. */
  settle(): void {
    this.#advance(Infinity);
  }

  /** Lets time pass. */
  wait(duration: Duration): void {
    this.#advance(this.#now + duration);
  }

  #advance(until: Instant): void {
    for (;;) {
      this.#wakeups.sort((a, b) => a.at - b.at);
      const [next, ...later] = this.#wakeups;
      if (next === undefined || next.at > until) break;
      this.#wakeups = later;
      this.#now = Math.max(this.#now, next.at);
      this.device.handlePortFree(next.port, next.at);
    }
    if (until !== Infinity) this.#now = Math.max(this.#now, until);
  }
}

export type RequestOf<Kind extends StfRequest['kind']> = StfRequest & { readonly kind: Kind };

/** Carries out one kind of request. Throws StateError when it cannot be. */
type Handler<Kind extends StfRequest['kind']> = (
  target: VirtualSwitch,
  request: RequestOf<Kind>,
) => StfReply;

/** Implementation of each kind of request on the embedded switch. */
export type Handlers = {
  readonly [Kind in StfRequest['kind']]: Handler<Kind>;
};

export type HandlersOf<Kind extends StfRequest['kind']> = Pick<Handlers, Kind>;

/** The answer to what needs none. */
export const DONE: StfReply = { kind: 'done' };
