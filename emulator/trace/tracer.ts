import { InputError } from '../../common/errors';
import { microseconds, ORIGIN, PS_PER_SECOND } from '../../common/units/units';
import type { Bytes, Duration, Instant, PortNumber } from '../../common/units/units';
import type { Packet } from '../../common/packet/packet';
import { Alarm } from '../kernel/alarm';
import type { EventQueue } from '../kernel/event-queue';
import type { Channel } from '../network/channel';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { HostFrames } from '../record/host-frames';
import type { RunObserver } from '../record/run-observer';
import { normalizedInflightOf } from '../record/recorder';
import type { RecordedFlow, RecordedPort } from '../record/recorder';
import { PerfettoWriter } from './perfetto';

/** Part of a run that is traced; absent fields do not restrict it. */
export interface TraceSelection {
  /** Numbers of flows, from 1 on. */
  readonly flows?: readonly number[] | undefined;
  /** Switch ports as `node:port`. */
  readonly ports?: readonly string[] | undefined;
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
}

export interface TraceOptions extends TraceSelection {
  /** Takes the bytes of the trace in their order. */
  readonly write: (bytes: Uint8Array) => void;
}

/** The run that is traced. */
export interface TraceScene {
  readonly queue: EventQueue;
  readonly flows: readonly RecordedFlow[];
  readonly ports: readonly RecordedPort[];
  readonly hosts: Iterable<HostNode>;
  /** Interval between two values of a counter. */
  readonly interval: Duration;
  /** T, by which U relates queues to rates. */
  readonly baseRtt: Duration;
  /** Reader of the hosts' frames. */
  readonly frames: HostFrames;
}

/** A data packet on its way. */
interface Traced {
  readonly flow: RecordedFlow;
  arrivedAt: Instant;
}

interface HostTracks {
  readonly sent: number;
  readonly received: number;
}

/** A switch port: its tracks and what they showed last. */
interface TracedPort {
  readonly source: RecordedPort;
  readonly channel: Channel;
  readonly group: number;
  /** When each track of packets that wait is free again. */
  readonly lanes: { readonly track: number; freeAt: Instant }[];
  readonly sending: number;
  readonly queue: Shown;
  readonly utilization: Shown;
  sentBytes: Bytes;
}

interface TracedFlow {
  readonly flow: RecordedFlow;
  readonly rate: Shown;
  readonly window: Shown;
  readonly utilization: Shown;
}

/** A counter, and its newest value. */
interface Shown {
  readonly counter: number;
  value: number | undefined;
}

/**
 * Writes a run as a trace that Perfetto shows (https://ui.perfetto.dev): for every data packet a slice in
 * each queue that it waits in and one on each link, joined by arrows; queues and U of links, rates, windows
 * and U of flows as counters. It keeps packets that are on their way, and nothing else.
 */
export class Tracer implements RunObserver {
  readonly #writer: PerfettoWriter;
  readonly #scene: TraceScene;
  readonly #alarm: Alarm;
  readonly #from: Instant;
  readonly #to: Instant;
  readonly #byId = new Map<number, Traced>();
  /** Tracks of hosts, by port. */
  readonly #byHost = new Map<HostNode, readonly HostTracks[]>();
  readonly #flowOf = new Map<HostNode, Map<number, RecordedFlow>>();
  readonly #ports = new Map<SwitchNode, (TracedPort | undefined)[]>();
  readonly #flows: readonly TracedFlow[];

  /** @throws InputError for a flow or port that the run does not have, or times in the wrong order. */
  constructor(scene: TraceScene, options: TraceOptions) {
    const { fromUs = 0, toUs = Infinity, flows, ports } = options;
    if (!(fromUs < toUs))
      throw new InputError(`a trace from ${fromUs} us cannot end at ${toUs} us`);
    this.#scene = scene;
    this.#alarm = new Alarm(scene.queue, scene.queue.newSource(), (now) => this.#sample(now));
    this.#writer = new PerfettoWriter(options.write);
    this.#from = ORIGIN + microseconds(fromUs);
    this.#to = ORIGIN + microseconds(toUs);
    for (const host of scene.hosts) this.#addHost(host);
    for (const port of chosenPorts(scene.ports, ports)) this.#addPort(port);
    this.#flows = chosenFlows(scene.flows, flows).map((flow) => this.#addFlow(flow));
    this.#alarm.set(Math.max(this.#from, scene.queue.now), 0);
  }

  hostSent(host: HostNode, packet: Packet, start: Instant, port: PortNumber): void {
    const { id } = packet;
    if (id === undefined || !this.#isTime(start)) return;
    const flowId = this.#scene.frames.dataFlowOf(packet);
    const flow = flowId === undefined ? undefined : this.#flowOf.get(host)?.get(flowId);
    const tracks = this.#byHost.get(host)?.[port - 1];
    if (flow === undefined || tracks === undefined) return;
    this.#byId.set(id, { flow, arrivedAt: start });
    const end = start + (packet.length * 8 * PS_PER_SECOND) / host.linkRate;
    this.#writer.slice({ track: tracks.sent, name: nameOf(flow), start, end, arrow: id });
  }

  switchReceived(_node: SwitchNode, packet: Packet, now: Instant): void {
    const traced = packet.id === undefined ? undefined : this.#byId.get(packet.id);
    if (traced !== undefined) traced.arrivedAt = now;
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    const traced = packet.id === undefined ? undefined : this.#byId.get(packet.id);
    const place = this.#ports.get(node)?.[port];
    if (traced === undefined || place === undefined || !this.#isTime(start)) return;
    const { arrivedAt } = traced;
    const name = nameOf(traced.flow);
    const arrow = packet.id;
    const waits = {
      start: arrivedAt,
      end: start,
      annotations: { waited_ns: (start - arrivedAt) / 1000 },
    };
    this.#writer.slice({ track: this.#laneOf(place, arrivedAt, start), name, arrow, ...waits });
    const end = start + (packet.length * 8 * PS_PER_SECOND) / place.channel.rate;
    this.#writer.slice({ track: place.sending, name, arrow, start, end });
  }

  hostReceived(host: HostNode, packet: Packet, now: Instant, port: PortNumber): void {
    const traced = packet.id === undefined ? undefined : this.#byId.get(packet.id);
    const tracks = this.#byHost.get(host)?.[port - 1];
    if (traced === undefined || packet.id === undefined || tracks === undefined) return;
    this.#byId.delete(packet.id);
    if (this.#isTime(now)) {
      this.#writer.instant(now, tracks.received, nameOf(traced.flow), packet.id);
    }
  }

  #isTime(now: Instant): boolean {
    return now >= this.#from && now <= this.#to;
  }

  /** A track where nothing else waits between two instants. */
  #laneOf({ lanes, group }: TracedPort, from: Instant, to: Instant): number {
    let lane = lanes.find(({ freeAt }) => freeAt <= from);
    if (lane === undefined) {
      lane = { track: this.#writer.track(group, 'waiting'), freeAt: 0 };
      lanes.push(lane);
    }
    lane.freeAt = to;
    return lane.track;
  }

  #sample(now: Instant): void {
    for (const ports of this.#ports.values()) {
      for (const port of ports) if (port !== undefined) this.#samplePort(now, port);
    }
    for (const each of this.#flows) this.#sampleFlow(now, each);
    const next = now + this.#scene.interval;
    if (next <= this.#to) this.#alarm.set(next, 0);
  }

  #samplePort(now: Instant, port: TracedPort): void {
    const { interval, baseRtt } = this.#scene;
    const { node, port: number } = port.source;
    const { rate, ledger } = port.channel;
    const waits = node.device.queueBytes(number);
    const sent = ledger.sentBytes - port.sentBytes;
    port.sentBytes = ledger.sentBytes;
    const perBit = PS_PER_SECOND / rate;
    const load = (sent * 8 * perBit) / interval + (waits * 8 * perBit) / baseRtt;
    this.#show(now, port.queue, waits);
    this.#show(now, port.utilization, Math.round(load * 1e4) / 1e4);
  }

  #sampleFlow(now: Instant, { flow, rate, window, utilization }: TracedFlow): void {
    const metrics = flow.sender.agent.senderMetrics(flow.id);
    const U = metrics === undefined ? 0 : normalizedInflightOf(flow, metrics);
    this.#show(now, rate, (metrics?.pacingRate ?? 0) / 1e9);
    this.#show(now, window, metrics?.windowBytes ?? 0);
    this.#show(now, utilization, U ?? 0);
  }

  /** Unchanged values are not written. */
  #show(now: Instant, shown: Shown, value: number): void {
    if (shown.value === value) return;
    shown.value = value;
    this.#writer.count(now, shown.counter, value);
  }

  #addHost(host: HostNode): void {
    const group = this.#writer.group(host.name);
    const tracks = Array.from({ length: host.portCount }, (_, i): HostTracks => {
      const at = host.portCount > 1 ? ` at port ${i + 1}` : '';
      return {
        sent: this.#writer.track(group, `sending${at}`),
        received: this.#writer.track(group, `received${at}`),
      };
    });
    this.#byHost.set(host, tracks);
  }

  #addPort(source: RecordedPort): void {
    const { node, port, link } = source;
    const channel = node.channel(port);
    if (channel === undefined) return;
    const writer = this.#writer;
    const group = writer.group(link);
    const counter = (name: string, unit: string): Shown => ({
      counter: writer.counter(group, name, unit),
      value: undefined,
    });
    const ports = this.#ports.get(node) ?? [];
    this.#ports.set(node, ports);
    ports[port] = {
      source,
      channel,
      group,
      lanes: [],
      sentBytes: 0,
      sending: writer.track(group, 'sending'),
      queue: counter('queue', 'bytes'),
      utilization: counter('U', ''),
    };
  }

  #addFlow(flow: RecordedFlow): TracedFlow {
    const group = this.#writer.group(nameOf(flow));
    const counter = (name: string, unit: string): Shown => ({
      counter: this.#writer.counter(group, name, unit),
      value: undefined,
    });
    const flows = this.#flowOf.get(flow.sender) ?? new Map<number, RecordedFlow>();
    this.#flowOf.set(flow.sender, flows);
    flows.set(flow.id, flow);
    const [rate, window] = [counter('rate', 'Gb/s'), counter('window', 'bytes')];
    return { flow, rate, window, utilization: counter('U', '') };
  }
}

const nameOf = ({ number }: RecordedFlow): string => `flow ${number}`;

function chosenPorts(
  ports: readonly RecordedPort[],
  names: readonly string[] | undefined,
): readonly RecordedPort[] {
  if (names === undefined) return ports;
  return names.map((name) => {
    const found = ports.find(({ node, port }) => `${node.name}:${port}` === name);
    if (found !== undefined) return found;
    throw new InputError(`no switch has the port '${name}'; wanted NODE:PORT, such as s1:2`);
  });
}

function chosenFlows(
  flows: readonly RecordedFlow[],
  numbers: readonly number[] | undefined,
): readonly RecordedFlow[] {
  if (numbers === undefined) return flows;
  return numbers.map((number) => {
    const found = flows.find((flow) => flow.number === number);
    if (found !== undefined) return found;
    throw new InputError(`there is no flow ${number}; the run has flows 1 to ${flows.length}`);
  });
}
