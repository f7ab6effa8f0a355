/** One limit of the switch's servers: what it bounds, and between what it can be set. */
export interface LimitSpec {
  /** The value unless another is given. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Description of the bounded quantity, with its unit. */
  readonly help: string;
}

const MEBIBYTE = 1024 * 1024;

const limit = (value: number, help: string, min = 1, max = 2 ** 31 - 1): LimitSpec => {
  return { value, min, max, help };
};

/**
 * Every limit by its name, which is also the name that `--limit` takes and under which the summary
 * counts how often it was met. docs/limits.md says what happens then.
 */
export const LIMITS = {
  'message-bytes': limit(64 * MEBIBYTE, 'bytes of one P4Runtime message', 65_536),
  'compressed-message-bytes': limit(
    MEBIBYTE,
    'bytes of a P4Runtime message that comes compressed, before and after',
    1024,
  ),
  'small-message-bytes': limit(
    131_072,
    "bytes of a message on a stream, of a Read's filter, of a request beside what it lists",
    65_536,
  ),
  'p4runtime-connections': limit(
    64,
    'P4Runtime connections at a time; the oldest without any call gives way',
  ),
  'p4runtime-opening-seconds': limit(
    10,
    'seconds that a P4Runtime connection may take to its first bytes',
  ),
  'calls-per-connection': limit(100, 'P4Runtime calls at a time on one connection', 2),
  'idle-connection-seconds': limit(300, 'seconds that a P4Runtime connection may have no call'),
  'keepalive-seconds': limit(30, 'seconds between the probes of a P4Runtime connection'),
  'writes-waiting': limit(64, 'Writes and configurations of a device that wait for others'),
  'reads-at-once': limit(8, 'Reads of a device, also of its program, answered at a time'),
  'reads-waiting': limit(256, 'Reads of a device that wait for others'),
  'read-filters': limit(65_536, 'different entities that one Read requests'),
  'read-stall-seconds': limit(30, 'seconds that a Read waits for a client that takes nothing'),
  'bid-seconds': limit(30, 'seconds that a stream may stay without its first arbitration'),
  controllers: limit(16, 'controllers of one role of a device'),
  roles: limit(64, 'roles of a device that controllers have named'),
  'packet-in-queue': limit(1024, 'packet-ins that wait for one controller'),
  'digest-queue': limit(16_384, 'digest samples that wait for one controller'),
  'notice-queue': limit(256, 'other messages that wait for one controller', 16),
  'digest-samples': limit(4096, 'samples of a digest that wait to be bundled'),
  'digest-memory': limit(65_536, 'samples of a digest that were sent and not acknowledged'),
  'thrift-message-bytes': limit(64 * MEBIBYTE, 'bytes of one Thrift message', 1024),
  'thrift-connections': limit(64, 'Thrift connections at a time; the one idle longest gives way'),
  'thrift-message-seconds': limit(
    30,
    'seconds from the first to the last byte of a Thrift message',
  ),
  'thrift-idle-seconds': limit(3600, 'seconds that a Thrift connection may be idle'),
} as const satisfies Readonly<Record<string, LimitSpec>>;

export type LimitName = keyof typeof LIMITS;

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

/** The limits of one server, and how often each was met. */
export class Limits {
  readonly #values: ReadonlyMap<LimitName, number>;
  readonly #met = new Map<LimitName, number>();

  /** @param values those that differ from {@link LIMITS}. */
  constructor(values: ReadonlyMap<LimitName, number> = new Map()) {
    this.#values = values;
  }

  of(name: LimitName): number {
    return this.#values.get(name) ?? LIMITS[name].value;
  }

  /** Counts that a limit was met, by so many of what it bounds. */
  met(name: LimitName, count = 1): void {
    this.#met.set(name, (this.#met.get(name) ?? 0) + count);
  }

  /** Number of times that limits were met, without those that never were. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#met);
  }
}
