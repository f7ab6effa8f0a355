import type { HopRecord } from '../../../../common/hop/hop';
import { Random } from '../../../../common/random/random';
import type { Acknowledgement } from '../../../../host-agent/algorithm/congestion-control';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { acknowledgement, hopRecord } from '../../../support/telemetry';

/** T = 8000 ns at 100 Gb/s, 12.5 bytes/ns. */
const T = 8000;
const PS = 1000;
const RATE = 100e9;
const WINIT = 100_000;
const WAI = 40;
const ETA = 0.95;
const MAX_STAGE = 5;
const FRAME = 1106;
const PAYLOAD = 1000;

const newControl = (): HpccppWindow =>
  new HpccppWindow({ linkRate: RATE, baseRtt: T * PS, additiveIncreaseBytes: WAI });

const keyOf = ({ switchId, portId }: HopRecord): string => `${switchId}:${portId}`;

/** Listing lines 1 to 27 word for word, with L as a map from links to records. */
class Listing {
  readonly #L = new Map<string, HopRecord>();
  #U = 1;
  #Wc = WINIT;
  #incStage = 0;
  #lastUpdateSeq: number | undefined = undefined;
  W = WINIT;

  newAck(ack: Acknowledgement): void {
    let u = 0;
    let tau = 0;
    let isMeasured = false;
    for (const hop of ack.telemetry) {
      const last = this.#L.get(keyOf(hop));
      if (last !== undefined && hop.timestamp <= last.timestamp) continue;
      this.#L.set(keyOf(hop), hop);
      if (last === undefined) continue;
      isMeasured = true;
      const dt = hop.timestamp - last.timestamp;
      const txRate = (8 * (hop.txBytes - last.txBytes)) / (dt * 1e-9);
      const queue = Math.min(hop.queueBytes, last.queueBytes);
      const uHop = txRate / hop.capacity + (queue * RATE) / hop.capacity / WINIT;
      if (uHop > u) [u, tau] = [uHop, dt];
    }
    this.#lastUpdateSeq ??= ack.nextSequence;
    if (!isMeasured) return;
    tau = Math.min(tau, T);
    this.#U = (this.#U * (T - tau) + u * tau) / T;
    const updateWc = ack.ackSequence > this.#lastUpdateSeq;
    this.#computeWind(updateWc);
    if (updateWc) this.#lastUpdateSeq = ack.nextSequence;
  }

  #computeWind(updateWc: boolean): void {
    const isMultiplicative = this.#U >= ETA || this.#incStage >= MAX_STAGE;
    const W = isMultiplicative ? this.#Wc / (this.#U / ETA) + WAI : this.#Wc + WAI;
    this.W = Math.max(Math.min(W, WINIT), WINIT / 1000);
    if (!updateWc) return;
    this.#incStage = isMultiplicative ? 0 : this.#incStage + 1;
    this.#Wc = this.W;
  }
}

/** Packets over `paths` paths of three links, of which the last is shared; another path every `every`. */
function* randomAcknowledgements(paths: number, every: number): Generator<Acknowledgement> {
  const random = new Random(100 * paths + every);
  const links = new Map<string, HopRecord>();
  const crossed = (switchId: number, portId: number, now: number): HopRecord => {
    const last = links.get(`${switchId}:${portId}`) ?? hopRecord({ switchId, portId });
    const dt = now - last.timestamp;
    // Full and half empty in turn.
    const load = Math.floor(now / 50_000) % 2 === 0 ? 1.2 : 0.5;
    const txBytes = last.txBytes + Math.floor(dt * 12.5 * load * random.uniform());
    const queueBytes = Math.floor(load * random.uniform() * random.uniform() * 60_000);
    const hop = { ...last, timestamp: now, txBytes, queueBytes };
    links.set(keyOf(hop), hop);
    return hop;
  };
  let held: Acknowledgement | undefined = undefined;
  for (let packet = 1; packet <= 3000; packet++) {
    const path = Math.floor(packet / every) % paths;
    const now = 90 * packet;
    const telemetry = [
      crossed(1, path, now),
      crossed(10 + path, 1, now + 1000),
      crossed(2, 1, now + 2000),
    ];
    const ackSequence = packet * PAYLOAD;
    const nextSequence = ackSequence + 60_000;
    const ack = acknowledgement({ telemetry, ackSequence, nextSequence, now: now * PS });
    // One acknowledgement in ten is overtaken by the next one.
    if (held === undefined && random.uniform() < 0.1) {
      held = ack;
      continue;
    }
    yield ack;
    if (held !== undefined) yield held;
    held = undefined;
  }
}

describe('a flow whose path changes', () => {
  const cases = [1, 2, 4, 8].flatMap((paths) =>
    [1, 10, 100, 1000].map((every) => [paths, every] as const),
  );

  test.each(cases)(
    'over %d paths every %d packets has the window of the listing',
    (paths, every) => {
      const control = newControl();
      const listing = new Listing();
      let acknowledgements = 0;
      const windows = new Set<number>();
      for (const ack of randomAcknowledgements(paths, every)) {
        acknowledgements++;
        listing.newAck(ack);
        control.onAck(ack);
        expect(control.windowBytes).toBe(listing.W);
        windows.add(listing.W);
      }
      expect(windows.size).toBeGreaterThan(500);
      const { acksProcessed, telemetryStale } = control.metrics();
      // What is not used came later than younger records of all of its links.
      expect(acksProcessed + telemetryStale).toBeGreaterThanOrEqual(acknowledgements - paths);
      expect(telemetryStale).toBeLessThan(0.11 * acknowledgements);
    },
  );
});

/** One link in one direction: a queue that is served at line rate. */
class Link {
  #freeAt = 0;
  #txBytes = 0;

  constructor(
    readonly switchId: number,
    readonly portId: number,
  ) {}

  /** The record of a packet that comes at `now`, and when it has left. */
  carry(now: number): { readonly hop: HopRecord; readonly leftAt: number } {
    const startsAt = Math.max(now, this.#freeAt);
    this.#freeAt = startsAt + FRAME / 12.5;
    const { switchId, portId } = this;
    const hop = hopRecord({
      switchId,
      portId,
      timestamp: Math.floor(startsAt),
      txBytes: this.#txBytes,
      // What came before it and has not left, which a packet of a flow sees of others.
      queueBytes: Math.floor((startsAt - now) * 12.5),
    });
    this.#txBytes += FRAME;
    return { hop, leftAt: this.#freeAt };
  }
}

/** Time in ns at which the queue of four flows to one host has drained, in a loop with ideal links. */
function drainedAt(paths: number, every: number): { readonly at: number; readonly unused: number } {
  const flows = Array.from({ length: 4 }, (_, id) => ({
    id,
    control: newControl(),
    sent: 0,
    acked: 0,
    nextAt: 0,
  }));
  const up = flows.map(({ id }) =>
    Array.from({ length: paths }, (_, path) => new Link(1 + id, path)),
  );
  const down = Array.from({ length: paths }, (_, path) => new Link(10 + path, 1));
  const last = new Link(20, 1);
  const acks: {
    readonly at: number;
    readonly flow: (typeof flows)[number];
    readonly telemetry: HopRecord[];
  }[] = [];
  let unused = 0;
  let peak = 0;
  let queue = 0;
  for (let now = 0; now < 300_000; now += 20) {
    for (const ack of acks.filter(({ at }) => at <= now)) {
      acks.splice(acks.indexOf(ack), 1);
      const { flow, telemetry } = ack;
      flow.acked += PAYLOAD;
      const sequences = { ackSequence: flow.acked, nextSequence: flow.sent };
      const kind = flow.control.onAck(acknowledgement({ telemetry, ...sequences, now: now * PS }));
      if (kind === 'first' || kind === 'ignored') unused++;
    }
    for (const flow of flows) {
      if (now < flow.nextAt || flow.sent - flow.acked >= flow.control.windowBytes) continue;
      const path = Math.floor(flow.sent / PAYLOAD / every) % paths;
      const first = (up[flow.id] as Link[])[path]?.carry(now);
      const second = down[path]?.carry((first?.leftAt ?? 0) + 1000);
      const third = last.carry((second?.leftAt ?? 0) + 1000);
      const hops = [first, second, third].flatMap((each) => (each === undefined ? [] : [each.hop]));
      queue = Math.max(...hops.map(({ queueBytes }) => queueBytes));
      acks.push({ at: third.leftAt + 4000, flow, telemetry: hops });
      flow.sent += PAYLOAD;
      flow.nextAt = now + (8e9 * FRAME) / flow.control.pacingRate;
    }
    peak = Math.max(peak, queue);
    if (peak > 100_000 && queue < 5000) return { at: now, unused };
  }
  return { at: Infinity, unused };
}

describe('the queue of four flows to one host', () => {
  const { at: onePath } = drainedAt(1, 1);

  test.each([
    [2, 1],
    [4, 1],
    [8, 1],
    [2, 10],
    [4, 10],
    [2, 100],
    [4, 1000],
  ])('drains over %d paths, another every %d packets, as over one', (paths, every) => {
    const { at, unused } = drainedAt(paths, every);
    expect(onePath).toBeLessThan(100_000);
    expect(at).toBeLessThan(2 * onePath);
    // The first acknowledgement of each path and flow shows nothing to compare with.
    expect(unused).toBeLessThanOrEqual(4 * paths);
  });
});

describe('the response of a switch about one link', () => {
  /** A path of a full link and an idle one, as packets that left at these times found it. */
  const path = (full: number, idle: number): readonly HopRecord[] => [
    hopRecord({ switchId: 1, timestamp: full, txBytes: full * 12.5, queueBytes: 80_000 }),
    hopRecord({ switchId: 2, timestamp: idle, txBytes: 0 }),
  ];
  const at = (now: number, telemetry: readonly HopRecord[], isOneLink = false): Acknowledgement =>
    acknowledgement({
      telemetry,
      now: now * PS,
      endsRound: false,
      ...(isOneLink && { isOneLink }),
    });

  test('stands until packets that left the link later come: what is behind it tells nothing', () => {
    const control = newControl();
    control.onAck(at(1000, path(0, 1000)));
    control.onAck(at(3000, path(2000, 3000)));
    const before = control.windowBytes;
    expect(control.onAck(at(3500, path(6000, 3000), true))).toBe('fast');
    const told = control.windowBytes;
    expect(told).toBeLessThan(before);
    // The idle link alone would let the window grow.
    expect(control.onAck(at(8000, path(5000, 8000)))).toBe('ignored');
    expect(control.windowBytes).toBe(told);
    expect(control.onAck(at(10_000, path(7000, 10_000)))).toBe('fast');
  });

  test('is not what overtaken packets of many paths are: those tell of their other links', () => {
    const control = newControl();
    control.onAck(at(1000, path(0, 1000)));
    control.onAck(at(3000, path(6000, 3000)));
    expect(control.onAck(at(8000, path(5000, 8000)))).toBe('fast');
  });
});
