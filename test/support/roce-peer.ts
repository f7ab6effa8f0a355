import type { Packet } from '../../common/packet/packet';
import { AETH_NO_CREDITS } from '../../common/wire/roce/extended-headers';
import { BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE } from '../../common/wire/roce/bth';
import { emitTelemetryRequest } from '../../common/wire/roce/telemetry-messages';
import { emitTelemetryResponse } from '../../common/wire/roce/telemetry-messages';
import type { TelemetryResponse } from '../../common/wire/roce/telemetry-messages';
import type { Carrier } from '../../host-agent/carrier/carrier';
import { INT_CARRIER } from '../../host-agent/carrier/int-carrier';
import { aethBody, requestBody } from '../../host-agent/roce/packets/extended-headers';
import { remoteKey, targetQpn } from '../../host-agent/roce/packets/connection-numbers';
import type { Position } from '../../host-agent/roce/packets/opcodes';
import { rcCode } from '../../host-agent/roce/packets/opcodes';
import type { RoceFrame } from '../../host-agent/roce/packets/peer-frames';
import { PeerFrames, RoceOutput } from '../../host-agent/roce/packets/peer-frames';
import type { ReceivedPacket } from '../../host-agent/roce/packets/received-packet';
import { parsePacket } from '../../host-agent/roce/packets/received-packet';
import type { RoceHost } from '../../host-agent/roce/roce-host';
import { addressOf, macOf } from './hosts';

/** Flow of the tests, in its first use. */
export const FLOW = 5;
export const TARGET_QP = targetQpn(FLOW, 0);
const KEY = remoteKey(TARGET_QP);

/** Builds packets by hand that host `from` sends to host `to`. */
export class RawPeer {
  readonly #frames: PeerFrames;

  constructor(from: number, to: number, destinationQp: number, carrier: Carrier = INT_CARRIER) {
    const addressing = {
      sourceMac: macOf(from),
      destinationMac: macOf(to),
      destinationQp,
      sourcePort: 50_000,
      sourceAddress: addressOf(from),
      destinationAddress: addressOf(to),
    };
    this.#frames = new PeerFrames(addressing, new RoceOutput(), carrier);
  }

  frame(frame: RoceFrame): Packet {
    return this.#frames.emit(frame);
  }

  /** A packet of a WRITE with its acknowledgement asked for. */
  write(
    psn: number,
    position: Position,
    length: number,
    more: { total?: number; at?: number; key?: number; immediate?: number; quiet?: true } = {},
  ): Packet {
    const { total = length, at = 0, key: remote = KEY, immediate, quiet } = more;
    const isFirst = position === 'first' || position === 'only';
    const memory = { address: at, remoteKey: remote, length: total };
    return this.frame({
      opcode: rcCode('write', position, immediate !== undefined),
      psn,
      ackRequest: quiet !== true,
      body: requestBody(isFirst ? memory : undefined, immediate),
      payload: { length, stored: new Uint8Array(length).fill(psn & 0xff) },
    });
  }

  send(psn: number, position: Position, length: number): Packet {
    const payload = { length, stored: new Uint8Array(length).fill(psn & 0xff) };
    const body = new Uint8Array(0);
    return this.frame({ opcode: rcCode('send', position), psn, ackRequest: true, body, payload });
  }

  read(psn: number, length: number, at = 0, remote = KEY): Packet {
    const body = requestBody({ address: at, remoteKey: remote, length }, undefined);
    return this.frame({ opcode: rcCode('read-request', 'only'), psn, body });
  }

  response(psn: number, position: Position, length: number): Packet {
    const aeth = { kind: 'ack', value: AETH_NO_CREDITS, msn: 1 } as const;
    return this.frame({
      opcode: rcCode('read-response', position),
      psn,
      body: position === 'middle' ? new Uint8Array(0) : aethBody(aeth),
      payload: { length, stored: new Uint8Array(length) },
    });
  }

  acknowledge(
    psn: number,
    kind: 'ack' | 'nak' | 'rnr-nak' = 'ack',
    value: number = AETH_NO_CREDITS,
  ): Packet {
    const body = aethBody({ kind, value, msn: 1 });
    return this.frame({ opcode: rcCode('acknowledge', 'only'), psn, body });
  }

  probe(psn: number, requestId: number, intHopLimit?: number): Packet {
    const body = new Uint8Array(16);
    const transmitTime = { high: 1, low: 2 };
    emitTelemetryRequest({ epoch: 0, hopsMax: 8, requestId, transmitTime }, body, 0);
    return this.frame({ opcode: BTH_TELEMETRY_REQUEST, psn, body, intHopLimit });
  }

  telemetry(psn: number, response: Partial<TelemetryResponse>, more = new Uint8Array(0)): Packet {
    const body = new Uint8Array(48 + more.length);
    emitTelemetryResponse({ ...NOTHING_TOLD, ...response }, body, 0);
    body.set(more, 48);
    return this.frame({ opcode: BTH_TELEMETRY_RESPONSE, psn, body });
  }
}

const NOTHING_TOLD: TelemetryResponse = {
  hopCount: 1,
  chosenHop: 0,
  flags: 0,
  requestId: 1,
  transmitTime: { high: 0, low: 0 },
  nodeId: 9,
  portId: 1,
  queueId: 0,
  timestamp: { high: 0, low: 0 },
  txBytes: { high: 0, low: 0 },
  queueBytes: 0,
  capacityMbps: 100_000,
};

/** A packet that a host has sent to host `to`, and what it says. */
export interface SentPacket extends ReceivedPacket {
  readonly frame: Packet;
}

/** All that a host sends at `now`, until nothing is left. */
export function sentBy(host: RoceHost, now: number, to: number): SentPacket[] {
  const sent: SentPacket[] = [];
  for (let frame = host.pollTransmit(now); frame !== undefined; frame = host.pollTransmit(now)) {
    const packet = parsePacket(frame, addressOf(to), INT_CARRIER);
    if ('reason' in packet) throw new Error(`a host has sent a bad packet: ${packet.reason}`);
    sent.push({ ...packet, frame });
  }
  return sent;
}

/** Kind of a packet, and its PSN; for an acknowledgement also what its AETH says. */
export function summary({ bth, content }: SentPacket): string {
  if (content.kind === 'acknowledge') {
    const { kind, value, msn } = content.aeth;
    return `${kind}${kind === 'ack' ? '' : ` ${value}`} ${bth.psn}, msn ${msn}`;
  }
  const position = 'position' in content ? ` ${content.position}` : '';
  return `${content.kind}${position} ${bth.psn}`;
}
