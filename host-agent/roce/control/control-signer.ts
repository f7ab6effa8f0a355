import type { Packet } from '../../../common/packet/packet';
import { AUTH_TRAILER_LENGTH } from '../../../common/wire/security/auth-trailer';
import { ReplayWindow } from '../../../common/wire/security/replay-window';
import type { AuthRejection } from '../../feedback/feedback-auth';
import type { KeyRing } from '../../feedback/key-ring';
import type { ControlLabel } from './control-auth';
import { signControl, verifyControl } from './control-auth';
import type { PeerFrames, RoceFrame } from '../packets/peer-frames';
import { PARTITION_KEY } from '../packets/peer-frames';
import type { ReceivedPacket } from '../packets/received-packet';

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

  /** What a signature adds to a packet. */
  get trailerLength(): number {
    return this.#ring === undefined ? 0 : AUTH_TRAILER_LENGTH;
  }

  emit(label: ControlLabel, frame: RoceFrame): Packet {
    if (this.#ring === undefined) return this.#frames.emit(frame);
    const { sourceAddress, destinationAddress, destinationQp } = this.#frames.addressing;
    const path = { source: sourceAddress, destination: destinationAddress };
    const { opcode, psn, body, ackRequest = false, becn = false } = frame;
    const own = { opcode, psn, ackRequest, migration: !becn, destinationQp };
    const bth = { ...UNSET, ...own, partitionKey: PARTITION_KEY };
    const signed = signControl(this.#ring, { label, path, bth, body }, ++this.#signed);
    return this.#frames.emit({ ...frame, body: signed });
  }

  /** What follows the BTH of a genuine packet, without its signature. */
  verify(
    label: ControlLabel,
    { bth, sourceAddress, end }: ReceivedPacket,
    { bytes, bodyAt }: { readonly bytes: Uint8Array; readonly bodyAt: number },
  ): Uint8Array | AuthRejection {
    const body = bytes.subarray(bodyAt, end);
    if (this.#ring === undefined) return body;
    const path = { source: sourceAddress, destination: this.#frames.addressing.sourceAddress };
    return verifyControl(this.#ring, { label, path, bth, body }, this.#replays);
  }
}

const UNSET = { solicited: false, padCount: 0, fecn: false, becn: false } as const;
