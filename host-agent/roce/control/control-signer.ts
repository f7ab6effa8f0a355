import { ipv4Bytes } from '../../../common/wire/ip/ipv4';
import type { AuthTrailer } from '../../../common/wire/security/message-mac';
import { AUTH_TRAILER_LENGTH, emitAuthTrailer } from '../../../common/wire/security/message-mac';
import { parseAuthTrailer, LABEL_RESPONSE } from '../../../common/wire/security/message-mac';
import { MAC_LENGTH, macsAreEqual, messageMac } from '../../../common/wire/security/message-mac';
import type { Bth } from '../../../common/wire/roce/bth';
import { BTH_LENGTH, emitBth, ROCE_PORT } from '../../../common/wire/roce/bth';
import { WireFault } from '../../../common/wire/fault';
import type { AuthRejection, FeedbackPath } from '../../feedback/feedback-auth';
import type { KeyRing } from '../../feedback/key-ring';
import type { Packet } from '../../../common/packet/packet';
import { ReplayWindow } from '../../../common/wire/security/replay-window';
import type { PeerFrames, RoceFrame } from '../packets/peer-frames';
import { PARTITION_KEY, padOf } from '../packets/peer-frames';
import type { ReceivedPacket } from '../packets/received-packet';

/** Labels keep codes of one kind of packet from passing for another. */
export const LABEL_ACKNOWLEDGE = 'HPCC++RACK1';
export const LABEL_NOTICE = 'HPCC++RCNP1';
export { LABEL_RESPONSE };

export type ControlLabel = typeof LABEL_ACKNOWLEDGE | typeof LABEL_RESPONSE | typeof LABEL_NOTICE;

/** A packet that brings feedback, without the trailer that authenticates it. */
interface ControlMessage {
  readonly label: ControlLabel;
  readonly path: FeedbackPath;
  readonly bth: Bth;
  /** Bytes behind the BTH. */
  readonly body: Uint8Array;
}

const WORD_MODULUS = 0x1_0000_0000;
const NO_CODE = new Uint8Array(MAC_LENGTH);
const UNSET = { solicited: false, fecn: false, becn: false, windowEpoch: 0 } as const;

/** Signs and checks the control packets of one queue pair, where the host has keys. */
export class ControlSigner {
  readonly #ring: KeyRing | undefined;
  readonly #frames: PeerFrames;
  readonly #replays = new ReplayWindow();
  #signed = 0;

  constructor(ring: KeyRing | undefined, frames: PeerFrames) {
    this.#ring = ring;
    this.#frames = frames;
  }

  /** Bytes that a signature adds to a packet. */
  get trailerLength(): number {
    return this.#ring === undefined ? 0 : AUTH_TRAILER_LENGTH;
  }

  emit(label: ControlLabel, frame: RoceFrame): Packet {
    if (this.#ring === undefined) return this.#frames.emit(frame);
    const { sourceAddress, destinationAddress, destinationQp } = this.#frames.addressing;
    const path = { source: sourceAddress, destination: destinationAddress };
    const { opcode, psn, body, ackRequest = false, becn = false } = frame;
    const padCount = padOf(body.length + AUTH_TRAILER_LENGTH);
    const own = { opcode, psn, padCount, ackRequest, migration: !becn, destinationQp };
    const bth = { ...UNSET, ...own, partitionKey: PARTITION_KEY };
    const signed = signControl(this.#ring, { label, path, bth, body }, ++this.#signed);
    return this.#frames.emit({ ...frame, body: signed });
  }

  /** Checks the signature of a packet; returns the body behind the BTH, without the signature. */
  verify(
    label: ControlLabel,
    { bth, bthAt, sourceAddress, end }: ReceivedPacket,
    { bytes }: Packet,
  ): Uint8Array | AuthRejection {
    const body = bytes.subarray(bthAt + BTH_LENGTH, end);
    if (this.#ring === undefined) return body;
    const path = { source: sourceAddress, destination: this.#frames.addressing.sourceAddress };
    return verifyControl(this.#ring, { label, path, bth, body }, this.#replays);
  }
}

/** The body with its trailer, which the ICRC then covers. `sequence` is used once per queue pair. */
function signControl(ring: KeyRing, message: ControlMessage, sequence: number): Uint8Array {
  const { body } = message;
  const signed = new Uint8Array(body.length + AUTH_TRAILER_LENGTH);
  signed.set(body);
  const high = Math.floor(sequence / WORD_MODULUS);
  const trailer: AuthTrailer = {
    keyId: ring.signing,
    sequence: { high, low: sequence - high * WORD_MODULUS },
    mac: NO_CODE,
  };
  emitAuthTrailer(trailer, signed, body.length);
  const codeAt = signed.length - MAC_LENGTH;
  const code = codeOf(ring, ring.signing, message, signed.subarray(0, codeAt));
  if (code !== undefined) signed.set(code, codeAt);
  return signed;
}

/**
 * Checks key, code and replay, in this order, of a packet whose body ends with a trailer. Returns the
 * body without it if the packet is genuine and new.
 */
function verifyControl(
  ring: KeyRing,
  message: ControlMessage,
  window: ReplayWindow,
): Uint8Array | AuthRejection {
  const { body } = message;
  const trailerAt = body.length - AUTH_TRAILER_LENGTH;
  if (trailerAt < 0) return 'unauthenticated';
  const trailer = parseAuthTrailer(body, trailerAt);
  if (trailer instanceof WireFault) return 'unauthenticated';
  const code = codeOf(ring, trailer.keyId, message, body.subarray(0, body.length - MAC_LENGTH));
  if (code === undefined || !macsAreEqual(code, trailer.mac)) return 'unauthenticated';
  if (window.accept(trailer.sequence) !== 'accepted') return 'replayed';
  return body.subarray(0, trailerAt);
}

/** Undefined if the ring does not have the key. */
function codeOf(
  ring: KeyRing,
  keyId: number,
  { label, path, bth }: ControlMessage,
  body: Uint8Array,
): Uint8Array | undefined {
  const key = ring.key(keyId);
  if (key === undefined) return undefined;
  const text = new Uint8Array(BTH_LENGTH + body.length);
  // Switches may set the congestion bits on the way.
  emitBth({ ...bth, fecn: false, becn: false }, text, 0);
  text.set(body, BTH_LENGTH);
  const context = {
    label,
    source: ipv4Bytes(path.source),
    destination: ipv4Bytes(path.destination),
    destinationPort: ROCE_PORT,
  };
  return messageMac(context, text, (bytes) => ring.mac(key, bytes));
}
