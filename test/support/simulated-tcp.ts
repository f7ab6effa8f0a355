import { HP_DOMAIN, INT_FIXED_LENGTH, emitHop } from '../../common/wire/int/int-md';
import { emitEthernet, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { emitIpv4, PROTOCOL_TCP } from '../../common/wire/ip/ipv4';
import { fillChecksum, checksumWords, finishChecksum } from '../../common/wire/ip/checksum';
import { emitTcp, TCP_CHECKSUM_AT } from '../../common/wire/ip/tcp';
import type { TcpOption } from '../../common/wire/ip/tcp';
import { writeUint16 } from '../../common/wire/bytes';
import { PS_PER_NS, PS_PER_SECOND } from '../../common/units/units';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PROBED_QUEUE_FROM } from '../../host-agent/algorithm/path-load';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import type { ConnectionKey } from '../../host-agent/tcp/connection-key';
import { TcpControl } from '../../host-agent/tcp/tcp-control';
import type { TcpOutputs, TcpSample, TcpSettings } from '../../host-agent/tcp/tcp-settings';

const IP_AT = 14;
const TCP_AT = 34;
const INT_AT = 54;
const FRAME_BYTES = 1514;
const SEGMENT_BYTES = 1448;
const CWND_MAX = 400;
/** Packets that the kernel lets wait in a class. */
const LOCAL_MAX = 4;
const TICK: Duration = PS_PER_SECOND / 1000;

export interface SegmentFields {
  readonly key: ConnectionKey;
  readonly sequence?: number;
  readonly acknowledgement?: number;
  readonly flags?: number;
  readonly payloadBytes?: number;
  readonly options?: readonly TcpOption[];
}

/** The headers of a segment as they arrive at the host whose connection it is. */
export function arrivingSegment(fields: SegmentFields): Uint8Array {
  const { key, sequence = 1, acknowledgement = 1, flags = 0x10, payloadBytes = 0 } = fields;
  const { options = [] } = fields;
  const optionBytes = options.reduce((sum, { data }) => sum + 2 + data.length, 0);
  const headers = TCP_AT + 20 + Math.ceil(optionBytes / 4) * 4;
  const frame = new Uint8Array(headers);
  emitEthernet({ destination: 0x11, source: 0x22, etherType: ETHERTYPE_IPV4 }, frame);
  emitIpv4(
    {
      dscp: 0,
      ecn: 0,
      identification: 7,
      ttl: 64,
      protocol: PROTOCOL_TCP,
      totalLength: headers - IP_AT + payloadBytes,
      source: key.remoteAddress,
      destination: key.localAddress,
    },
    frame,
    IP_AT,
  );
  const ports = { sourcePort: key.remotePort, destinationPort: key.localPort };
  const rest = { window: 1000, checksum: 0, urgent: 0, options };
  emitTcp({ ...ports, ...rest, sequence, acknowledgement, flags }, frame, TCP_AT);
  return frame;
}

/** A probe as a switch sends it on that has pushed this hop. */
export function withHop(frame: Uint8Array, hop: Parameters<typeof emitHop>[0]): Uint8Array {
  const grown = new Uint8Array(frame.length + HP_DOMAIN.hopLength);
  const stackAt = INT_AT + INT_FIXED_LENGTH;
  grown.set(frame.subarray(0, stackAt));
  emitHop(hop, grown, stackAt);
  grown.set(frame.subarray(stackAt), stackAt + HP_DOMAIN.hopLength);
  grown[INT_AT + 1] = (grown[INT_AT + 1] ?? 0) + HP_DOMAIN.hopWords;
  grown[INT_AT + 7] = (grown[INT_AT + 7] ?? 0) - 1;
  writeUint16(grown, IP_AT + 2, grown.length - IP_AT);
  fillSums(grown);
  return grown;
}

/** Both checksums of a probe that was changed. */
export function fillSums(frame: Uint8Array): void {
  writeUint16(frame, IP_AT + 10, 0);
  writeUint16(frame, IP_AT + 10, finishChecksum(checksumWords(frame, IP_AT, TCP_AT)));
  const segment = { ipOffset: IP_AT, offset: TCP_AT, end: frame.length, protocol: PROTOCOL_TCP };
  fillChecksum(frame, segment, TCP_AT + TCP_CHECKSUM_AT);
}

export interface SimulationOptions {
  readonly capacity: BitsPerSecond;
  /** Round-trip time of the idle network. */
  readonly rtt: Duration;
  /** When each connection begins to send, without end. */
  readonly starts: readonly Instant[];
  readonly settings?: Partial<TcpSettings>;
  /** Class of all connections; 0 unless given. */
  readonly dscp?: () => number;
  /** True if the telemetry frame with this number is lost on its way. */
  readonly isLost?: (number: number, now: Instant) => boolean;
}

interface Flow {
  readonly key: ConnectionKey;
  readonly start: Instant;
  cwnd: number;
  inFlight: number;
  sent: number;
  delivered: number;
  /** Frames in the class, and when it may send the next one. */
  local: number;
  freeAt: Instant;
  rate: BitsPerSecond | undefined;
}

interface Frame {
  readonly flow: number;
  readonly bytes: Bytes;
  readonly telemetry: Uint8Array | undefined;
}

/**
 * Greedy TCP senders with a control each, one bottleneck with a FIFO queue without end, and
 * receivers that answer probes; in virtual time. The senders know no losses: their windows only grow.
 */
export class TcpSimulation {
  now: Instant = 0;
  readonly samples: TcpSample[][] = [];
  /** Calls that reached the classes of each connection. */
  readonly calls: { readonly now: Instant; readonly what: string }[][] = [];
  readonly controls: TcpControl[] = [];
  readonly flows: Flow[];
  telemetryFrames = 0;
  /** DSCP in the shim of each probe. */
  readonly probeClasses: number[] = [];
  /** Each millisecond. */
  readonly queueAtTick: Bytes[] = [];
  readonly #o: SimulationOptions;
  readonly #receiver: TcpControl;
  readonly #events: { at: Instant; order: number; act: () => void }[] = [];
  #order = 0;
  readonly #queue: Frame[] = [];
  #queueBytes = 0;
  #txBytes = 0;
  #isBusy = false;
  #answeredFrom = -1;

  constructor(options: SimulationOptions) {
    this.#o = options;
    this.flows = options.starts.map((start, i) => ({
      key: { localAddress: 0x0a000002 + i, localPort: 40_000, remoteAddress: 1, remotePort: 5201 },
      start,
      cwnd: 10,
      inFlight: 0,
      sent: 0,
      delivered: 0,
      local: 0,
      freeAt: 0,
      rate: undefined,
    }));
    this.#receiver = new TcpControl(settings(options), {
      ...SILENT,
      sendFrame: (frame) => this.#sendResponse(this.#answeredFrom, frame),
    });
    this.flows.forEach((flow, i) => {
      this.samples.push([]);
      this.calls.push([]);
      this.controls.push(new TcpControl(settings(options), this.#outputs(i)));
      this.#at(flow.start, () => {
        this.#arrive(i, 0x12);
        this.#pump(i);
      });
    });
    this.#at(0, () => this.#tick());
  }

  run(until: Instant): this {
    for (;;) {
      const next = this.#events[0];
      if (next === undefined || next.at > until) break;
      this.#events.shift();
      this.now = next.at;
      next.act();
    }
    this.now = until;
    return this;
  }

  #outputs(i: number): TcpOutputs {
    const flow = this.flows[i] as Flow;
    const note = (what: string): void => void this.calls[i]?.push({ now: this.now, what });
    return {
      sendFrame: (telemetry) => this.#sendTelemetry(i, telemetry),
      classOf: () => this.#o.dscp?.() ?? 0,
      openClass: (_key, classId, rate) => {
        flow.rate = rate;
        note(`open ${classId}`);
      },
      setRate: (_classId, rate) => {
        flow.rate = rate;
        note('rate');
      },
      closeClass: (_key, classId) => {
        flow.rate = undefined;
        note(`close ${classId}`);
      },
      limitWindow: (_key, field) => note(`window ${field}`),
      releaseWindow: () => note('no window'),
      onSample: (sample) => void this.samples[i]?.push(sample),
    };
  }

  #at(at: Instant, act: () => void): void {
    const event = { at, order: this.#order++, act };
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.at ?? 0) > at) index--;
    this.#events.splice(index, 0, event);
  }

  #tick(): void {
    this.queueAtTick.push(this.#queueBytes);
    for (const control of this.controls) control.handleTimers(this.now);
    this.#at(this.now + TICK, () => this.#tick());
  }

  /** An arriving segment that acknowledges what has been delivered. */
  #arrive(i: number, flags: number): void {
    const { key, delivered } = this.flows[i] as Flow;
    const acknowledgement = (1000 + delivered * SEGMENT_BYTES) % 2 ** 32;
    const fields = { key, flags, sequence: 77, acknowledgement };
    const options = flags === 0x12 ? [{ kind: 3, data: Uint8Array.of(7) }] : [];
    this.controls[i]?.handleSegment(this.now, arrivingSegment({ ...fields, options }));
  }

  /** Hands frames to the class while window and room allow. */
  #pump(i: number): void {
    const flow = this.flows[i] as Flow;
    while (flow.inFlight < flow.cwnd && flow.local < LOCAL_MAX) {
      flow.inFlight++;
      flow.local++;
      flow.sent++;
      const from = Math.max(this.now, flow.freeAt);
      const time = flow.rate === undefined ? 0 : serialisation(FRAME_BYTES, flow.rate);
      flow.freeAt = from + time;
      this.#at(from, () => {
        flow.local--;
        this.#enqueue({ flow: i, bytes: FRAME_BYTES, telemetry: undefined });
        this.#pump(i);
      });
    }
  }

  #sendTelemetry(i: number, telemetry: Uint8Array): void {
    this.probeClasses.push((telemetry[SHIM_DSCP_AT] as number) >>> 2);
    if (this.#loses()) return;
    this.#enqueue({ flow: i, bytes: telemetry.length, telemetry });
  }

  #loses(): boolean {
    return this.#o.isLost?.(this.telemetryFrames++, this.now) === true;
  }

  #enqueue(frame: Frame): void {
    this.#queue.push(frame);
    this.#queueBytes += frame.bytes;
    if (!this.#isBusy) this.#transmit();
  }

  #transmit(): void {
    const frame = this.#queue.shift();
    this.#isBusy = frame !== undefined;
    if (frame === undefined) return;
    this.#queueBytes -= frame.bytes;
    const { capacity, rtt } = this.#o;
    const out = frame.telemetry === undefined ? frame : this.#stamped(frame, frame.telemetry);
    this.#txBytes += out.bytes;
    this.#at(this.now + serialisation(out.bytes, capacity), () => {
      this.#at(this.now + rtt / 2, () => this.#receive(out));
      this.#transmit();
    });
  }

  #stamped(frame: Frame, telemetry: Uint8Array): Frame {
    const hop = {
      switchId: 1,
      portId: 1,
      queueBytes: this.#queueBytes,
      capacity: this.#o.capacity,
      timestamp: Math.floor(this.now / PS_PER_NS),
      timestampModulus: 2 ** 48,
      txBytes: this.#txBytes,
      txBytesModulus: 2 ** 48,
    };
    const bytes = withHop(telemetry, hop);
    return { ...frame, bytes: bytes.length, telemetry: bytes };
  }

  #receive({ flow: i, telemetry }: Frame): void {
    const flow = this.flows[i] as Flow;
    if (telemetry !== undefined) {
      this.#answeredFrom = i;
      this.#receiver.handleTelemetry(this.now, telemetry);
      return;
    }
    this.#at(this.now + this.#o.rtt / 2, () => {
      flow.delivered++;
      flow.inFlight--;
      flow.cwnd = Math.min(flow.cwnd + 1, CWND_MAX);
      this.#arrive(i, 0x10);
      this.#pump(i);
    });
  }

  #sendResponse(i: number, response: Uint8Array): void {
    if (this.#loses()) return;
    this.#at(this.now + this.#o.rtt / 2, () => {
      this.controls[i]?.handleTelemetry(this.now, response);
    });
  }
}

/** Behind Ethernet, IPv4 and TCP without options. */
const SHIM_DSCP_AT = 14 + 20 + 20 + 3;

const serialisation = (bytes: Bytes, rate: BitsPerSecond): Duration =>
  Math.ceil((bytes * 8 * PS_PER_SECOND) / rate);

const SILENT: TcpOutputs = {
  sendFrame: () => undefined,
  classOf: () => 0,
  openClass: () => undefined,
  setRate: () => undefined,
  closeClass: () => undefined,
  limitWindow: () => undefined,
  releaseWindow: () => undefined,
  onSample: () => undefined,
};

function settings({ settings: changed }: SimulationOptions): TcpSettings {
  return {
    linkRate: 10e9,
    hopLimit: 8,
    control: hpccppFactory({
      maxHops: 8,
      maxStage: 1,
      expectedFlows: 8,
      latestQueueFrom: PROBED_QUEUE_FROM,
    }),
    ports: new Set(),
    rewritesWindows: false,
    connectionsMax: 100,
    firstProbeId: 0,
    ...changed,
  };
}
