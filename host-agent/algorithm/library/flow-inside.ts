/**
 * The inner side of an algorithm's compartment, between it and the program: the algorithm gets
 * objects that are made here, the program numbers and text. Nothing is imported, and nothing that the algorithm
 * throws or returns leaves.
 */

/** Places of what passes as numbers; what is absent is NaN. */
export const PLACES = {
  ackSequence: 0,
  nextSequence: 1,
  now: 2,
  isMarked: 3,
  isIncomplete: 4,
  rtt: 5,
  load: 6,
  hops: 7,
  firstHop: 8,
} as const;

/** Fields of a hop, in the order in which they pass. */
export const HOP_FIELDS = [
  'switchId',
  'portId',
  'timestamp',
  'timestampModulus',
  'txBytes',
  'txBytesModulus',
  'queueBytes',
  'capacity',
  'ingressPortId',
  'queueId',
  'sojournNs',
  'utilization',
] as const;

/** Hops that have room; no carrier brings more. */
export const HOPS_MAX = 64;

/** Functions that an algorithm may have, besides what it must. */
export const CALLS = [
  'onAck',
  'onLoss',
  'onCongestionNotification',
  'onIdleRestart',
  'onBaseRtt',
  'onWakeup',
] as const;

export type Call = (typeof CALLS)[number];

/** Result of a call: nothing, what was thrown, or that it goes on. */
export type Returned = undefined | { readonly threw: string } | { readonly isPending: true };

type Own = Readonly<Record<string, unknown>>;
type Create = (flow: object, constants: object) => unknown;

const TEXT_MAX = 500;

/** Text of what was thrown, which may be anything. */
function said(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message : error;
    return String(text).slice(0, TEXT_MAX);
  } catch {
    return 'something without a text';
  }
}

/** An algorithm that was read. */
export class InsideModule {
  #exported: Own = {};
  readonly #numbers: Float64Array;

  /**
   * @param numbers of the next acknowledgement: the program's own, which the algorithm never gets. PERF: writing into
   * an array of another context takes the engine thirty times as long as reading from one.
   */
  constructor(numbers: Float64Array) {
    this.#numbers = numbers;
  }

  /** Runs its file. Returns what it threw. */
  load(run: () => unknown): string | undefined {
    try {
      const exported = run();
      if (typeof exported === 'object' && exported !== null) this.#exported = exported as Own;
      return undefined;
    } catch (error) {
      return said(error);
    }
  }

  /** Exports besides functions, as JSON; the type of `create` in place of it. */
  description(): { readonly text: string } | { readonly threw: string } {
    try {
      const { create, signals, constants, marking } = this.#exported;
      const text = JSON.stringify({ create: typeof create, signals, constants, marking }, plain);
      return { text };
    } catch (error) {
      return { threw: said(error) };
    }
  }

  /** @param text the flow and its constants, as JSON. */
  open(text: string): InsideFlow | { readonly threw: string } {
    try {
      const { flow, constants } = JSON.parse(text) as { flow: object; constants: object };
      return new InsideFlow((this.#exported['create'] as Create)(flow, constants), this.#numbers);
    } catch (error) {
      return { threw: said(error) };
    }
  }
}

/** Replaces what JSON would leave out by the text that messages have of it. */
const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint'
    ? String(value).slice(0, TEXT_MAX)
    : value;
};

/** One flow, whose control is whatever the algorithm has made. */
export class InsideFlow {
  readonly #own: Own;
  /** Type of the control, `null` apart. */
  readonly kind: string;
  readonly #numbers: Float64Array;

  constructor(own: unknown, numbers: Float64Array) {
    this.kind = own === null ? 'null' : typeof own;
    this.#own = this.kind === 'object' ? (own as Own) : {};
    this.#numbers = numbers;
  }

  /** Type of what it has for a call. */
  kindOf(call: string): string {
    try {
      return typeof this.#own[call];
    } catch {
      return 'undefined';
    }
  }

  /** A number that it has; the type and text of what is there instead; or nothing. */
  read(name: string): number | string | undefined | { readonly threw: string } {
    try {
      const value = this.#own[name];
      if (typeof value === 'number') return value;
      if (value === undefined || value === null) return undefined;
      return `${typeof value} ${said(value)}`;
    } catch (error) {
      return { threw: said(error) };
    }
  }

  /** The acknowledgement whose numbers are there. */
  onAck(): Returned {
    const numbers = this.#numbers;
    const given = (place: number): number | undefined => {
      const value = numbers[place];
      return value === value ? value : undefined;
    };
    const telemetry = [];
    const count = numbers[PLACES.hops] ?? 0;
    for (let hop = 0; hop < count; hop++) telemetry.push(hopAt(numbers, hop));
    return this.#call('onAck', {
      ackSequence: numbers[PLACES.ackSequence],
      nextSequence: numbers[PLACES.nextSequence],
      now: numbers[PLACES.now],
      isMarked: numbers[PLACES.isMarked] === 1,
      isIncomplete: numbers[PLACES.isIncomplete] === 1,
      rtt: given(PLACES.rtt),
      load: given(PLACES.load),
      telemetry,
    });
  }

  /** @param kind of a loss whose numbers are there, with its first byte in place of the acknowledged one. */
  onLoss(kind: string): Returned {
    const numbers = this.#numbers;
    return this.#call('onLoss', {
      kind,
      sequence: numbers[PLACES.ackSequence],
      nextSequence: numbers[PLACES.nextSequence],
      now: numbers[PLACES.now],
    });
  }

  /** A call with one number. */
  call(name: string, value: number): Returned {
    return this.#call(name, value);
  }

  #call(name: string, argument: unknown): Returned {
    try {
      const own = this.#own as Readonly<Record<string, (argument: unknown) => unknown>>;
      const returned = own[name]?.(argument) as { then?: unknown } | null | undefined;
      return typeof returned?.then === 'function' ? { isPending: true } : undefined;
    } catch (error) {
      return { threw: said(error) };
    }
  }
}

/** PERF: all hops have one shape, and only what no carrier here leaves out is there at once. */
function hopAt(numbers: Float64Array, hop: number): object {
  const at = PLACES.firstHop + hop * HOP_FIELDS.length;
  const record: Record<string, number | undefined> = {
    switchId: numbers[at],
    portId: numbers[at + 1],
    timestamp: numbers[at + 2],
    timestampModulus: numbers[at + 3],
    txBytes: numbers[at + 4],
    txBytesModulus: numbers[at + 5],
    queueBytes: numbers[at + 6],
    capacity: numbers[at + 7],
  };
  for (let field = 8; field < HOP_FIELDS.length; field++) {
    const value = numbers[at + field];
    const name = HOP_FIELDS[field];
    if (value === value && name !== undefined) record[name] = value;
  }
  return record;
}

/** Entry of the file. */
export const insideModule = (numbers: Float64Array): InsideModule => new InsideModule(numbers);
