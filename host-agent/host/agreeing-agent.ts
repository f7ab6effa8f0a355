import type { Packet } from '../../common/packet/packet';
import { seconds } from '../../common/units/units';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import {
  emitHpccTransport,
  HPCC_FLAG_RESPONSE,
  HPCC_SETTINGS,
  HPCC_TRANSPORT_LENGTH,
  HPCC_TRANSPORT_PORT,
} from '../../common/wire/hpcc/hpcc-transport';
import { readSettings, settingsBytes } from '../../common/wire/hpcc/settings-record';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { emitUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import { plainUdpPort } from '../carrier/peek';
import type { CoordinationCounters } from '../coordination/host-coordination';
import { Fifo } from '../nic/fifo';
import { differencesTo, toldSettings } from '../settings/agreement';
import type { SettingDifference, ToldSettings } from '../settings/agreement';
import type { Settings } from '../settings/settings';
import { FrameRecords, parseFrame } from '../transport/frames/received-frame';
import type { Agent, FlowHold, FlowMetrics } from './agent';
import type { FlowSpec } from './host-config';
import type { HostCounters, HostEvent } from './host-events';

/** A peer with other settings. */
export interface DifferingPeer {
  readonly peerAddress: number;
  readonly differences: readonly SettingDifference[];
}

export interface AgreementOptions {
  readonly address: number;
  readonly mac: number;
  readonly settings: Settings;
  /** Time after which a request that was not answered is sent again. */
  readonly retryAfter: Duration;
}

/** Requests to one peer. */
interface Asked {
  readonly mac: number;
  /** Requests that are left. */
  left: number;
  dueAt: Instant;
  answeredAt: Instant | undefined;
}

/**
 * A host that tells its peers the settings in which both must agree, and compares: a request leaves before
 * the first data to a peer, and the peer answers with its own. So both ends know within a round trip, in
 * any framing and by any carrier, since such packets are plain UDP. Nothing else follows from them: they are
 * not signed, and somebody who forges one causes a warning.
 */
export class AgreeingAgent implements Agent {
  readonly #inner: Agent;
  readonly #o: AgreementOptions;
  readonly #body: Uint8Array;
  readonly #asked = new Map<number, Asked>();
  readonly #frames = new Fifo<Packet>();
  readonly #events = new Fifo<HostEvent>();
  readonly #records = new FrameRecords();
  readonly #differing = new Map<number, DifferingPeer>();
  #requests = 0;
  /** When the next request may be due. */
  #dueAt: Instant = Infinity;
  /** Differences that may be told now, and since when that is so. */
  #tellable = TOLD_AT_ONCE;
  #tellableSince: Instant = 0;

  constructor(inner: Agent, options: AgreementOptions) {
    this.#inner = inner;
    this.#o = options;
    this.#body = settingsBytes(toldSettings(options.settings));
  }

  /** Peers that have other settings, the latest of many, in the order in which they were found. */
  get differing(): readonly DifferingPeer[] {
    return [...this.#differing.values()];
  }

  startFlow(now: Instant, spec: FlowSpec): void {
    this.#inner.startFlow(now, spec);
    const { destinationAddress: peer, destinationMac: mac } = spec;
    const asked = this.#asked.get(peer);
    const isFresh =
      asked !== undefined && now - (asked.answeredAt ?? now) < FRESH_RETRIES * this.#o.retryAfter;
    if (isFresh) return;
    this.#asked.delete(peer);
    forgetFirst(this.#asked);
    this.#asked.set(peer, { mac, left: REQUESTS_MAX, dueAt: now, answeredAt: undefined });
    this.#dueAt = now;
  }

  appendToFlow(
    now: Instant,
    id: number,
    more: { readonly bytes: Bytes; readonly isLast: boolean },
  ): void {
    this.#inner.appendToFlow(now, id, more);
  }

  handlePacket(now: Instant, packet: Packet): void {
    if (!isSettings(packet.bytes) || !this.#take(now, packet))
      this.#inner.handlePacket(now, packet);
  }

  /** A host whose link is paused is not asked for frames, and would be due for ever. */
  handleWakeup(now: Instant): void {
    if (this.#dueAt <= now) this.#ask(now);
    this.#inner.handleWakeup(now);
  }

  handleStandstill(duration: Duration): void {
    this.#inner.handleStandstill(duration);
  }

  pollTransmit(now: Instant): Packet | undefined {
    if (this.#dueAt <= now) this.#ask(now);
    return this.#frames.take() ?? this.#inner.pollTransmit(now);
  }

  pollWakeup(): Instant | undefined {
    const at = this.#inner.pollWakeup();
    return this.#dueAt < (at ?? Infinity) ? this.#dueAt : at;
  }

  pollEvent(): HostEvent | undefined {
    return this.#events.take() ?? this.#inner.pollEvent();
  }

  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#inner.flowMetrics(id);
  }

  senderMetrics(id: number): CongestionMetrics | undefined {
    return this.#inner.senderMetrics(id);
  }

  receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    return this.#inner.receiverMetrics(sourceAddress, flow);
  }

  windowLeft(id: number): Bytes | undefined {
    return this.#inner.windowLeft(id);
  }

  flowHold(id: number): FlowHold | undefined {
    return this.#inner.flowHold(id);
  }

  counters(): HostCounters {
    return this.#inner.counters();
  }

  coordination(): CoordinationCounters | undefined {
    return this.#inner.coordination();
  }

  /** Sends the requests that are due. */
  #ask(now: Instant): void {
    this.#dueAt = Infinity;
    for (const [peer, asked] of this.#asked) {
      if (asked.left === 0 || asked.answeredAt !== undefined) continue;
      if (asked.dueAt <= now) {
        this.#send({ address: peer, mac: asked.mac }, { flags: 0, sequence: this.#requests++ });
        asked.left--;
        asked.dueAt = now + this.#o.retryAfter;
        if (asked.left === 0) continue;
      }
      this.#dueAt = Math.min(this.#dueAt, asked.dueAt);
    }
  }

  /** Takes a frame that may be of this kind; returns false if it is not. */
  #take(now: Instant, packet: Packet): boolean {
    const frame = parseFrame(packet, this.#o.address, undefined, this.#records);
    if ('reason' in frame || frame.transport.type !== HPCC_SETTINGS) return false;
    const { flags, sequence, bodyAt, length } = frame.transport;
    const told = readSettings(packet.bytes, bodyAt, bodyAt + length);
    if (told === undefined) return false;
    const { sourceAddress: address, sourceMac: mac } = frame;
    if ((flags & HPCC_FLAG_RESPONSE) === 0) {
      // Whoever has forged the address of a short request makes this host send no more than he does.
      const isFair = length * ANSWER_FACTOR >= this.#body.length;
      if (isFair && this.#frames.length < ANSWERS_MAX)
        this.#send({ address, mac }, { flags: HPCC_FLAG_RESPONSE, sequence });
    } else {
      const asked = this.#asked.get(address);
      if (asked === undefined) return true;
      asked.answeredAt = now;
    }
    this.#compare(now, address, told);
    return true;
  }

  #compare(now: Instant, peerAddress: number, told: ToldSettings): void {
    const differences = differencesTo(this.#o.settings, told);
    const before = this.#differing.get(peerAddress);
    if (differences.length === 0) this.#differing.delete(peerAddress);
    const isKnown = JSON.stringify(before?.differences ?? []) === JSON.stringify(differences);
    if (isKnown || differences.length === 0) return;
    this.#differing.delete(peerAddress);
    forgetFirst(this.#differing);
    this.#differing.set(peerAddress, { peerAddress, differences });
    if (this.#mayTell(now))
      this.#events.push({ kind: 'settings-differ', peerAddress, differences });
  }

  /** Strangers can differ as often as they like, and would fill a log. */
  #mayTell(now: Instant): boolean {
    const earned = Math.floor((now - this.#tellableSince) / TOLD_EVERY);
    this.#tellableSince += earned * TOLD_EVERY;
    this.#tellable = Math.min(TOLD_AT_ONCE, this.#tellable + earned);
    if (this.#tellable === 0) return false;
    this.#tellable--;
    return true;
  }

  #send(
    to: { readonly address: number; readonly mac: number },
    fields: { readonly flags: number; readonly sequence: number },
  ): void {
    const { address, mac } = this.#o;
    const body = this.#body;
    const bytes = new Uint8Array(BODY_AT + body.length);
    bytes.set(body, BODY_AT);
    const transport = {
      type: HPCC_SETTINGS,
      flowId: 0,
      generation: 0,
      length: body.length,
    } as const;
    emitHpccTransport({ ...transport, ...fields }, bytes, TRANSPORT_AT);
    const context = {
      source: address,
      destination: to.address,
      offset: UDP_AT,
      end: bytes.length,
    };
    const ports = { sourcePort: HPCC_TRANSPORT_PORT, destinationPort: HPCC_TRANSPORT_PORT };
    emitUdp({ ...ports, length: bytes.length - UDP_AT }, bytes, context);
    const ipv4 = {
      dscp: 0,
      ecn: 0,
      totalLength: bytes.length - ETHERNET_LENGTH,
      identification: 0,
      ttl: TTL,
      protocol: PROTOCOL_UDP,
      source: address,
      destination: to.address,
    };
    emitIpv4(ipv4, bytes, ETHERNET_LENGTH);
    emitEthernet({ destination: to.mac, source: mac, etherType: ETHERTYPE_IPV4 }, bytes);
    this.#frames.push({ bytes, length: bytes.length });
  }
}

const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const TRANSPORT_AT = UDP_AT + UDP_LENGTH;
const BODY_AT = TRANSPORT_AT + HPCC_TRANSPORT_LENGTH;
const TTL = 64;
/** Requests until a peer is taken for one that does not answer them. */
const REQUESTS_MAX = 5;
/** An answer holds for so many times of a retry; later flows ask anew, since the peer may have begun anew. */
const FRESH_RETRIES = 200;
/** Frames that wait: somebody who sends requests faster than the link gets no more answers. */
const ANSWERS_MAX = 64;
/** Bytes of settings in an answer for each byte of those in its request. */
const ANSWER_FACTOR = 3;
/** Differences that are told at once, and the interval of further ones; a peer's latest are kept in any case. */
const TOLD_AT_ONCE = 64;
const TOLD_EVERY: Duration = seconds(1);
/** Peers that are remembered. */
const PEERS_MAX = 1024;

/** True for what may be a packet of settings. PERF: data tells it by its first two fields. */
function isSettings(bytes: Uint8Array): boolean {
  const isPlain = (bytes[ETHERNET_LENGTH + 1] as number) >>> 2 === 0;
  if (!isPlain || plainUdpPort(bytes) !== HPCC_TRANSPORT_PORT) return false;
  return ((bytes[TRANSPORT_AT] ?? 0) & 0xf) === HPCC_SETTINGS;
}

function forgetFirst(peers: Map<number, unknown>): void {
  if (peers.size < PEERS_MAX) return;
  for (const first of peers.keys()) {
    peers.delete(first);
    return;
  }
}
